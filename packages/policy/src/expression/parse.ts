/**
 * Parse: the text of an expression as a tree. Reads each token once; nesting is bounded.
 */
import { ExpressionError, type PolicyToken, tokenize } from "./token.ts";

/** A place in the text of an expression. */
export type Spot = Readonly<{ at: number; width: number }>;

/** An expression as a tree. */
export type Node = Spot &
  (
    | Readonly<{ kind: "literal"; value: string | number | boolean | null }>
    | Readonly<{ kind: "name"; name: string }>
    | Readonly<{ kind: "list"; items: readonly Node[] }>
    | Readonly<{ kind: "map"; entries: readonly (readonly [Node, Node])[] }>
    | Readonly<{ kind: "member"; of: Node; name: string }>
    | Readonly<{ kind: "index"; of: Node; key: Node }>
    | Readonly<{ kind: "unary"; op: "!" | "-"; of: Node }>
    | Readonly<{ kind: "binary"; op: string; left: Node; right: Node }>
    | Readonly<{ kind: "choice"; condition: Node; yes: Node; no: Node }>
    | Readonly<{ kind: "has"; of: Node; name: string }>
    | Readonly<{ kind: "call"; name: string; args: readonly Node[] }>
    | Readonly<{ kind: "method"; name: string; of: Node; args: readonly Node[] }>
    | Readonly<{ kind: "macro"; name: string; of: Node; variable: string; body: Node }>
  );

const MAX_CHARS = 2_000;
const MAX_DEPTH = 32;

/** Functions that bind a name for each item of a list. */
export const MACROS: ReadonlySet<string> = new Set(["exists", "all", "filter", "map"]);

/** Operators from the loosest; those of a row are read from the left. */
const ROWS: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["==", "!=", "<", "<=", ">", ">=", "in"],
  ["+", "-"],
  ["*", "/", "%"],
];

const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Words that CEL keeps for itself. */
const RESERVED: ReadonlySet<string> = new Set(
  "as break const continue else for function if import in let loop namespace package return var void while".split(" "),
);

/** Parses an expression; throws `ExpressionError` if it is not valid. */
export function parseExpression(text: string): Node {
  if (text.length > MAX_CHARS)
    throw new ExpressionError(`the expression has ${text.length} characters; at most ${MAX_CHARS} are read`);
  const parser = new Parser(tokenize(text));
  return parser.whole();
}

class Parser {
  readonly #tokens: readonly PolicyToken[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly PolicyToken[]) {
    this.#tokens = tokens;
  }

  whole(): Node {
    const node = this.#expression();
    if (this.#token.kind !== "end") throw this.#unexpected("an operator");
    return node;
  }

  get #token(): PolicyToken {
    return this.#tokens[this.#index] ?? { kind: "end", text: "", at: 0, width: 1 };
  }

  #take(): PolicyToken {
    const token = this.#token;
    this.#index += 1;
    return token;
  }

  #isMark(text: string): boolean {
    return this.#token.kind === "mark" && this.#token.text === text;
  }

  #skip(text: string): boolean {
    const isThere = this.#isMark(text);
    if (isThere) this.#index += 1;
    return isThere;
  }

  #expect(text: string): void {
    if (!this.#skip(text)) throw this.#unexpected(`\`${text}\``);
  }

  #unexpected(wanted: string): ExpressionError {
    const { kind, text, at, width } = this.#token;
    const found = kind === "end" ? "the expression ends" : `there is \`${text.slice(0, 40)}\``;
    return new ExpressionError(`${found} where ${wanted} is expected`, at, width);
  }

  #expression(): Node {
    return this.#deeper(() => {
      const condition = this.#binary(0);
      if (!this.#skip("?")) return condition;
      const yes = this.#binary(0);
      this.#expect(":");
      const { at, width } = condition;
      return { kind: "choice", condition, yes, no: this.#expression(), at, width };
    });
  }

  #deeper(read: () => Node): Node {
    this.#depth += 1;
    const { at, width } = this.#token;
    if (this.#depth > MAX_DEPTH)
      throw new ExpressionError(`the expression is nested more than ${MAX_DEPTH} deep`, at, width);
    const node = read();
    this.#depth -= 1;
    return node;
  }

  #binary(row: number): Node {
    const ops = ROWS[row];
    if (ops === undefined) return this.#unary();
    let left = this.#binary(row + 1);
    while (this.#token.kind !== "string" && ops.includes(this.#token.text)) {
      const { text: op, at, width } = this.#take();
      left = { kind: "binary", op, left, right: this.#binary(row + 1), at, width };
    }
    return left;
  }

  #unary(): Node {
    const { at, width } = this.#token;
    const op = this.#isMark("!") ? "!" : this.#isMark("-") ? "-" : undefined;
    if (op === undefined) return this.#postfix();
    return this.#deeper(() => {
      this.#take();
      return { kind: "unary", op, of: this.#unary(), at, width };
    });
  }

  #postfix(): Node {
    let node = this.#primary();
    for (;;) {
      if (this.#skip(".")) node = this.#selected(node);
      else if (this.#isMark("[")) {
        const { at, width } = this.#take();
        node = { kind: "index", of: node, key: this.#expression(), at, width };
        this.#expect("]");
      } else return node;
    }
  }

  /** A field of a value, or a function that is called on it. */
  #selected(of: Node): Node {
    const { kind, text: name, at, width } = this.#token;
    if (kind !== "name" || LITERALS.has(name) || name === "in") throw this.#unexpected("the name of a field");
    this.#take();
    if (!this.#skip("(")) return { kind: "member", of, name, at, width };
    if (!MACROS.has(name)) return { kind: "method", name, of, args: this.#list(")"), at, width };
    const variable = this.#identifier();
    this.#expect(",");
    const body = this.#expression();
    this.#expect(")");
    return { kind: "macro", name, of, variable, body, at, width };
  }

  #identifier(): string {
    const { kind, text } = this.#token;
    if (kind !== "name" || RESERVED.has(text) || LITERALS.has(text)) throw this.#unexpected("a name");
    this.#take();
    return text;
  }

  #list(end: string): readonly Node[] {
    const items: Node[] = [];
    while (!this.#isMark(end)) {
      items.push(this.#expression());
      if (!this.#skip(",")) break;
    }
    this.#expect(end);
    return items;
  }

  #primary(): Node {
    const { kind, text, at, width } = this.#token;
    const spot = { at, width };
    if (kind === "number") return { ...spot, kind: "literal", value: Number(this.#take().text) };
    if (kind === "string") return { ...spot, kind: "literal", value: this.#take().text };
    if (this.#skip("[")) return { ...spot, kind: "list", items: this.#list("]") };
    if (this.#skip("{")) return { ...spot, kind: "map", entries: this.#entries() };
    if (this.#skip("(")) {
      const inner = this.#expression();
      this.#expect(")");
      return inner;
    }
    const literal = kind === "name" ? LITERALS.get(text) : undefined;
    if (literal !== undefined) {
      this.#take();
      return { ...spot, kind: "literal", value: literal };
    }
    if (kind !== "name") throw this.#unexpected("a value");
    const name = this.#identifier();
    if (!this.#skip("(")) return { ...spot, kind: "name", name };
    const args = this.#list(")");
    return name === "has" ? toHas(args, spot) : { ...spot, kind: "call", name, args };
  }

  #entries(): readonly (readonly [Node, Node])[] {
    const entries: [Node, Node][] = [];
    while (!this.#isMark("}")) {
      const key = this.#expression();
      this.#expect(":");
      entries.push([key, this.#expression()]);
      if (!this.#skip(",")) break;
    }
    this.#expect("}");
    return entries;
  }
}

function toHas([field, ...others]: readonly Node[], spot: Spot): Node {
  if (field?.kind !== "member" || others.length > 0)
    throw new ExpressionError("has() takes one field, as has(args.amount)", spot.at, spot.width);
  return { ...spot, kind: "has", of: field.of, name: field.name };
}

/** The parts of a node that are expressions themselves. */
export function partsOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "literal":
    case "name":
      return [];
    case "list":
      return node.items;
    case "map":
      return node.entries.flat();
    case "index":
      return [node.of, node.key];
    case "binary":
      return [node.left, node.right];
    case "choice":
      return [node.condition, node.yes, node.no];
    case "call":
      return node.args;
    case "method":
      return [node.of, ...node.args];
    case "macro":
      return [node.of, node.body];
    default:
      return [node.of];
  }
}
