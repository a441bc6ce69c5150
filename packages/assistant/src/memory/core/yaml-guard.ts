/**
 * YAML guard: reads a small YAML document within caps, so that the work is bounded by the caps and not by the text.
 *
 * The parser is fed token by token and stopped at the first one beyond a cap.
 */
import { Composer, type CST, type Document, Lexer, Parser } from "yaml";

/** Memory is three deep. */
const MAX_DEPTH = 8;
const MAX_TOKENS = 20_000;
const MAX_KEYS = 64;
const MAX_ERRORS = 20;

/** A document, or the first cap that the text exceeds and the offset at which it does. */
export type GuardedYaml =
  | Readonly<{ ok: true; document: Document.Parsed }>
  | Readonly<{ ok: false; offset: number; reason: string }>;

/** Reads YAML text; syntax errors, at most 20, are in the document. */
export function readGuarded(text: string): GuardedYaml {
  const tokens: CST.Token[] = [];
  const parser = new Parser();
  let count = 0;
  let errors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      errors += token.type === "error" ? 1 : 0;
    }
    count += 1;
    const reason = count > MAX_TOKENS ? `more than ${MAX_TOKENS} words and signs` : findExcess(parser.stack);
    if (reason !== undefined) return { ok: false, offset: parser.offset - lexeme.length, reason };
    if (errors >= MAX_ERRORS) break;
  }
  tokens.push(...parser.end());
  const composer = new Composer({ uniqueKeys: true, prettyErrors: false, logLevel: "silent", schema: "core" });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (document === undefined || second !== undefined) {
    return { ok: false, offset: second?.range[0] ?? 0, reason: "more than one document" };
  }
  return { ok: true, document };
}

/** The cap that the value being read exceeds. */
function findExcess(stack: readonly CST.Token[]): string | undefined {
  const top = stack.at(-1);
  // What follows a value and does not belong to it; a comment and a line end are two.
  if (top !== undefined && "end" in top && (top.end?.length ?? 0) > MAX_KEYS) return "text after a value";
  if (top?.type === "block-map" && top.items.length > MAX_KEYS) return `a map of more than ${MAX_KEYS} keys`;
  if (top?.type === "flow-collection" && top.start.source === "{" && top.items.length > MAX_KEYS) {
    return `a map of more than ${MAX_KEYS} keys`;
  }
  const depth = stack.length <= MAX_DEPTH ? 0 : stack.filter(isCollection).length;
  return depth > MAX_DEPTH ? `lists and maps more than ${MAX_DEPTH} deep` : undefined;
}

const isCollection = ({ type }: CST.Token): boolean =>
  type === "block-map" || type === "block-seq" || type === "flow-collection";
