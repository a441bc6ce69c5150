/**
 * Guard: YAML's tokens, refused before a hostile file can cost anything.
 *
 * The parser is fed token by token and stopped at the first one beyond a cap, so the work is bounded by the caps and
 * not by the file. What comes out is shallow, narrow and small, and safe to compose.
 */
import { Lexer, Parser, type CST } from "yaml";
import type { SourceFile } from "./source-file.ts";

/** Bytes of one file. */
export const MAX_BYTES = 256 * 1_024;
const MAX_DEPTH = 32;
const MAX_KEYS = 1_000;
const MAX_ALIASES = 50;
/** Words, brackets, colons, line ends …: a crew of 2,500 lines; the text of a prompt is one. */
const MAX_TOKENS = 15_000;
/** Anchors, tags and directives. */
const MAX_MARKS = 100;
/** Tokens between the end of a value and the end of its line; a comment with its line end is three. */
const MAX_AFTER_VALUE = 20;
const MAX_ERRORS = 20;

/** The tokens of a file, or of its beginning, within all caps; undefined, with a finding, if it is beyond one. */
export function readTokens(source: SourceFile, text = source.text): readonly CST.Token[] | undefined {
  const tokens: CST.Token[] = [];
  const parser = new Parser();
  const counts = { tokens: 0, aliases: 0, marks: 0, errors: 0 };
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === "error") counts.errors += 1;
    }
    counts.tokens += 1;
    if (lexeme.startsWith("*")) counts.aliases += 1;
    if (lexeme.startsWith("&") || lexeme.startsWith("!") || lexeme.startsWith("%")) counts.marks += 1;
    const excess = toExcess(parser, counts);
    if (excess !== undefined) return refuse(source, parser.offset - lexeme.length, excess);
    if (counts.errors >= MAX_ERRORS) return tokens;
  }
  tokens.push(...parser.end());
  const wide = findWide(tokens);
  if (wide === undefined) return tokens;
  return refuse(source, wide.offset, { code: "too_many_keys", what: `a map of more than ${MAX_KEYS} keys` });
}

interface Excess {
  readonly code: string;
  readonly what: string;
}

type Counts = Readonly<Record<"tokens" | "aliases" | "marks", number>>;

function toExcess(parser: Parser, counts: Counts): Excess | undefined {
  if (counts.tokens > MAX_TOKENS) return { code: "too_large", what: `more than ${MAX_TOKENS} words and signs` };
  if (counts.aliases > MAX_ALIASES) return { code: "too_many_aliases", what: `more than ${MAX_ALIASES} aliases` };
  if (counts.marks > MAX_MARKS) return { code: "too_many_tags", what: `more than ${MAX_MARKS} anchors and tags` };
  const top = parser.stack.at(-1);
  // Each would be an error of its own.
  if (top !== undefined && "end" in top && (top.end?.length ?? 0) > MAX_AFTER_VALUE) {
    return { code: "invalid_yaml", what: "text after the end of a value" };
  }
  if (parser.stack.length <= MAX_DEPTH || parser.stack.filter(isCollection).length <= MAX_DEPTH) return undefined;
  return { code: "too_deep", what: `lists and maps more than ${MAX_DEPTH} deep` };
}

function refuse(source: SourceFile, offset: number, { code, what }: Excess): undefined {
  source.report({ start: offset, end: offset }, "", { code, message: `the file has ${what}`, fix: "make it smaller" });
}

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

function isCollection(token: CST.Token): token is Collection {
  return token.type === "block-map" || token.type === "block-seq" || token.type === "flow-collection";
}

/** The first map with too many keys. */
function findWide(tokens: readonly CST.Token[]): Collection | undefined {
  const waiting = tokens.flatMap((token) => (token.type === "document" && token.value ? [token.value] : []));
  for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) {
    if (!isCollection(token)) continue;
    let keys = 0;
    for (const item of token.items) {
      if (item.key) waiting.push(item.key);
      if (item.value) waiting.push(item.value);
      if (item.key || item.value) keys += 1;
    }
    if (keys > MAX_KEYS && isMap(token)) return token;
  }
  return undefined;
}

function isMap(token: Collection): boolean {
  return token.type === "block-map" || (token.type === "flow-collection" && token.start.source === "{");
}
