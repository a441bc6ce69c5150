/**
 * Core YAML: core memory as a file that people read, edit and bring back.
 *
 * A file with anything wrong is refused whole, with the line and the reason of each problem.
 */
import { isMap, isNode, isSeq, LineCounter, stringify, type Document as YamlDocument } from "yaml";
import { z } from "zod";
import { toMemoryId } from "../collections.ts";
import {
  type CoreBlock,
  BLOCKS,
  CATEGORIES,
  CORE_CAPS,
  type CoreMemory,
  coreTokens,
  ENTRY,
  type MemoryEntry,
  MAX_ENTRY_CHARS,
} from "./entry.ts";
import { refuseMemory } from "../refuse/refuse-memory.ts";
import { readGuarded } from "./yaml-guard.ts";

/** A problem of a file, with its line. */
export interface YamlProblem {
  readonly line: number;
  readonly reason: string;
}

/** Core memory that was read, or everything that is wrong. */
export type CoreRead =
  | { readonly ok: true; readonly core: CoreMemory }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

const VERSION = 1;
/** The largest file, in characters: core memory has at most 2,000 tokens. */
export const MAX_YAML_CHARS = 64_000;

/** More entries than core memory has room for. */
const MAX_ENTRIES = 1_000;
/** A file with more problems is refused with the first ones. */
const MAX_PROBLEMS = 20;

const Text = z
  .string()
  .trim()
  .min(1)
  .max(MAX_ENTRY_CHARS)
  .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), "it must be one line without control characters");

/** An entry as a person may write it: text is enough. */
const WRITTEN = z.strictObject({
  text: Text,
  category: z.enum(CATEGORIES).default("other"),
  key: ENTRY.shape.key,
  id: z
    .string()
    .regex(/^m-[0-9a-f]{20}$/, "an id is given by Baton: leave it out")
    .exactOptional(),
  at: z.iso.datetime().exactOptional(),
  by: ENTRY.shape.by.default("user"),
});
const LIST = z
  .array(z.union([WRITTEN, Text.transform((text) => WRITTEN.parse({ text }))]))
  .max(MAX_ENTRIES)
  .default([]);

/** Core memory as it may be written. */
export const CORE_WRITTEN = z.strictObject({
  version: z.literal(VERSION).default(VERSION),
  persona: LIST,
  human: LIST,
});

/** Core memory as YAML. */
export function toYaml(core: CoreMemory): string {
  return stringify({ version: VERSION, persona: core.persona, human: core.human }, { lineWidth: 0 });
}

/** Reads YAML, and checks all that core memory demands. */
export function parseYaml(text: string, at: string): CoreRead {
  if (text.length > MAX_YAML_CHARS) {
    return refuse([
      { line: 1, reason: `the file has ${text.length} characters; at most ${MAX_YAML_CHARS} are allowed` },
    ]);
  }
  const lines = countLines(text);
  const guarded = readGuarded(text);
  if (!guarded.ok) {
    return refuse([{ line: lines.linePos(guarded.offset).line, reason: `the file has ${guarded.reason}` }]);
  }
  const { document } = guarded;
  const faults = [...document.errors, ...document.warnings].slice(0, MAX_PROBLEMS);
  if (faults.length > 0) {
    return refuse(faults.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, reason: message })));
  }
  const lineOf = (path: readonly PropertyKey[]): number => findLine(document, path, lines);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    return refuse([{ line: 1, reason: "anchors and aliases are not supported: write the values out" }]);
  }
  const parsed = CORE_WRITTEN.safeParse(value ?? {});
  if (parsed.success) return toCore(parsed.data, { at, lineOf });
  const problems = parsed.error.issues.slice(0, MAX_PROBLEMS).flatMap(flatten);
  return refuse(problems.map(({ path, message }) => toProblem({ path, message }, lineOf)));
}

function countLines(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
  return lines;
}

type Written = z.output<typeof CORE_WRITTEN>;
type Placed = Readonly<{ at: string; lineOf: (path: readonly PropertyKey[]) => number }>;

/** Core memory of what was written, with what is not said filled in. */
export function toCore(written: Written, { at, lineOf }: Placed): CoreRead {
  const core = { persona: toEntries(written, "persona", at), human: toEntries(written, "human", at) };
  const all = [...core.persona, ...core.human];
  const ids = countBy(all.map(({ id }) => id));
  const keys = countBy(all.flatMap(({ key }) => key ?? []));
  const problems = BLOCKS.flatMap((block) =>
    core[block].flatMap((entry, index) => findProblems(entry, { ids, keys }, [block, index])),
  );
  const tokens = coreTokens(core);
  const caps = (["persona", "human", "total"] as const).flatMap((name) => {
    const reason = `${name === "total" ? "it" : name} has ${tokens[name]} tokens; at most ${CORE_CAPS[name]} are allowed`;
    return tokens[name] > CORE_CAPS[name] ? [{ path: name === "total" ? [] : [name], message: reason }] : [];
  });
  const found = [...problems, ...caps].slice(0, MAX_PROBLEMS).map((problem) => toProblem(problem, lineOf));
  return found.length === 0 ? { ok: true, core } : refuse(found);
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function toEntries(written: Written, block: CoreBlock, at: string): readonly MemoryEntry[] {
  return written[block].map(({ id, at: written_at, ...entry }, index) => ({
    id: id ?? toMemoryId("m", block, `${index}`, entry.text),
    at: written_at ?? at,
    ...entry,
  }));
}

type Counts = ReadonlyMap<string, number>;

function countBy(names: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function findProblems(
  { id, key, text }: MemoryEntry,
  { ids, keys }: Readonly<{ ids: Counts; keys: Counts }>,
  path: readonly PropertyKey[],
): readonly Problem[] {
  const refused = refuseMemory(text);
  const isTwice = key !== undefined && (keys.get(key) ?? 0) > 1;
  return [
    ...(refused === undefined ? [] : [{ path, message: `this is not remembered: ${refused}` }]),
    ...((ids.get(id) ?? 0) > 1 ? [{ path, message: `two entries have the id ${id}` }] : []),
    ...(isTwice ? [{ path, message: `two entries have the key ${key}` }] : []),
  ];
}

function toProblem({ path, message }: Problem, lineOf: Placed["lineOf"]): YamlProblem {
  const place = path.map(String).join(".");
  return { line: lineOf(path), reason: place === "" ? message : `${place}: ${message}` };
}

/** The problems of the longer form, if an entry fits neither. */
function flatten(issue: z.core.$ZodIssue): readonly Problem[] {
  if (issue.code !== "invalid_union") return [issue];
  const [first = []] = issue.errors;
  const nested = first.some(({ code, path }) => code === "invalid_type" && path.length === 0)
    ? (issue.errors[1] ?? first)
    : first;
  return nested.flatMap((one) =>
    flatten(one).map(({ path, message }) => ({ path: [...issue.path, ...path], message })),
  );
}

/** The line of a value, or of the nearest thing around it. */
function findLine(document: YamlDocument, path: readonly PropertyKey[], lines: LineCounter): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length).map(toStep), true);
    const start = isNode(node) ? node.range?.[0] : undefined;
    if (start !== undefined && !(length > 0 && (isMap(node) || isSeq(node)) && start === 0)) {
      return lines.linePos(start).line;
    }
  }
  return 1;
}

const toStep = (step: PropertyKey): string | number => (typeof step === "number" ? step : String(step));

const refuse = (problems: readonly YamlProblem[]): CoreRead => ({ ok: false, problems });
