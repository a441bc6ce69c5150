/**
 * Figure path: the position of a figure in a tool's output, such as `data.rows[3].price`.
 *
 * A name that has a dot, a bracket or a quote in it is written as JSON in brackets: `data["BRK.B"].price`.
 */
import type { Json } from "@baton/core";

/** A number and its path. */
export type PlacedNumber = Readonly<{ path: string; value: number }>;

const PLAIN_NAME = /^[^.[\]"\s]+$/;

/** Every number of an output, in the order of its fields. */
export function numbersOf(output: Json): readonly PlacedNumber[] {
  const found: PlacedNumber[] = [];
  const open: { readonly path: string; readonly value: Json }[] = [{ path: "", value: output }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { path, value } = item;
    if (typeof value === "number") found.push({ path, value });
    if (typeof value !== "object" || value === null) continue;
    const parts = toParts(value).map(([name, part]) => ({ path: `${path}${toStep(name, path)}`, value: part }));
    open.push(...parts.toReversed());
  }
  return found;
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(output: Json, path: string): Json | undefined {
  let found: Json | undefined = output;
  for (const name of toNames(path) ?? [undefined]) {
    if (typeof found !== "object" || found === null || name === undefined) return undefined;
    found = partOf(found, name);
  }
  return found;
}

type Compound = Extract<Json, object>;

function isList(value: Compound): value is readonly Json[] {
  return Array.isArray(value);
}

function toParts(value: Compound): readonly (readonly [name: string | number, part: Json])[] {
  return isList(value) ? value.map((part, index) => [index, part] as const) : Object.entries(value);
}

function partOf(value: Compound, name: string | number): Json | undefined {
  if (isList(value)) return typeof name === "number" ? value[name] : undefined;
  return typeof name === "string" && Object.hasOwn(value, name) ? value[name] : undefined;
}

function toStep(name: string | number, before: string): string {
  if (typeof name === "number") return `[${name}]`;
  if (!PLAIN_NAME.test(name)) return `[${JSON.stringify(name)}]`;
  return before === "" ? name : `.${name}`;
}

/** The names along a path, numbers for places in lists; undefined if it is not a path. */
function toNames(path: string): readonly (string | number)[] | undefined {
  const names: (string | number)[] = [];
  let at = 0;
  while (at < path.length) {
    const step = path[at] === "[" ? readBracket(path, at) : readName(path, at);
    if (step === undefined) return undefined;
    names.push(step.name);
    at = step.end;
  }
  return names;
}

type Step = Readonly<{ name: string | number; end: number }>;

function readName(path: string, at: number): Step | undefined {
  const start = path[at] === "." && at > 0 ? at + 1 : at;
  if (at > 0 && start === at) return undefined;
  let end = start;
  while (end < path.length && path[end] !== "." && path[end] !== "[") end += 1;
  return end === start ? undefined : { name: path.slice(start, end), end };
}

function readBracket(path: string, at: number): Step | undefined {
  if (path[at + 1] === '"') return readQuoted(path, at + 1);
  const end = path.indexOf("]", at);
  const digits = path.slice(at + 1, end);
  return end !== -1 && /^\d{1,9}$/.test(digits) ? { name: Number(digits), end: end + 1 } : undefined;
}

function readQuoted(path: string, start: number): Step | undefined {
  let end = start + 1;
  while (end < path.length && path[end] !== '"') end += path[end] === "\\" ? 2 : 1;
  if (path[end] !== '"' || path[end + 1] !== "]") return undefined;
  try {
    const name: unknown = JSON.parse(path.slice(start, end + 1));
    return typeof name === "string" ? { name, end: end + 2 } : undefined;
  } catch {
    return undefined;
  }
}
