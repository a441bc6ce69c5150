/**
 * Check: an expression's names, functions and fields before it is ever evaluated.
 */
import { FUNCTIONS, METHODS } from "./functions.ts";
import { MACROS, type Node, partsOf, type Spot } from "./parse.ts";

/** Something wrong with an expression, at its place. */
export type ExpressionProblem = Spot & Readonly<{ message: string; code: "unknown_name" | "unknown_function" }>;

/** A field that is read, `args.a.b`, as its parts. */
export type FieldPath = Spot & Readonly<{ path: readonly string[] }>;

/** Everything that an expression reads. */
export interface Reading {
  readonly problems: readonly ExpressionProblem[];
  /** Names from outside that it reads. */
  readonly names: ReadonlySet<string>;
  /** Functions that it calls. */
  readonly functions: ReadonlySet<string>;
  /** Longest paths of fields that begin with a name from outside. */
  readonly paths: readonly FieldPath[];
}

/** Reads an expression that may use these names. */
export function readNames(node: Node, known: readonly string[]): Reading {
  const reading = {
    problems: new Array<ExpressionProblem>(),
    names: new Set<string>(),
    functions: new Set<string>(),
    paths: new Array<FieldPath>(),
  };
  visit(node, { known: new Set(known), bound: new Set(), reading });
  return reading;
}

type Visit = Readonly<{
  known: ReadonlySet<string>;
  bound: ReadonlySet<string>;
  reading: { problems: ExpressionProblem[]; names: Set<string>; functions: Set<string>; paths: FieldPath[] };
}>;

function visit(node: Node, at: Visit): void {
  const { reading, bound, known } = at;
  const { at: start, width } = node;
  const path = toPath(node);
  if (path !== undefined) {
    const [name = ""] = path;
    if (bound.has(name)) return;
    reading.names.add(name);
    reading.paths.push({ path, at: start, width });
    const message = `there is no name \`${name.slice(0, 60)}\` here; known are ${[...known].join(", ")}`;
    if (!known.has(name)) reading.problems.push({ code: "unknown_name", message, ...firstOf(node) });
    return;
  }
  if (node.kind === "call" || node.kind === "method") checkFunction(node, reading);
  if (node.kind === "macro") {
    visit(node.of, at);
    visit(node.body, { ...at, bound: new Set([...bound, node.variable]) });
    return;
  }
  for (const part of partsOf(node)) visit(part, at);
}

function checkFunction(node: Extract<Node, { kind: "call" | "method" }>, reading: Visit["reading"]): void {
  const { name, args, at, width } = node;
  reading.functions.add(name);
  const [known, count] = node.kind === "call" ? [FUNCTIONS, args.length] : [METHODS, args.length + 1];
  const found = known.get(name);
  if (found !== undefined && count >= found.least && count <= found.most) return;
  const all = node.kind === "call" ? [...known.keys(), "has"] : [...known.keys(), ...MACROS];
  const message =
    found === undefined
      ? `there is no function \`${name.slice(0, 60)}()\`; known are ${all.join(", ")}`
      : `\`${name}()\` does not take ${args.length} arguments`;
  reading.problems.push({ code: "unknown_function", message, at, width });
}

/** A name and the fields that are read of it; undefined for anything else. */
function toPath(node: Node): readonly string[] | undefined {
  if (node.kind === "name") return [node.name];
  if (node.kind !== "member" && node.kind !== "has") return undefined;
  const path = toPath(node.of);
  return path === undefined ? undefined : [...path, node.name];
}

function firstOf(node: Node): Spot {
  const [part] = partsOf(node);
  return part === undefined ? { at: node.at, width: node.width } : firstOf(part);
}
