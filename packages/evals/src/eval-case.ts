/**
 * Eval case: an input with checks, as a line of JSON or an item of YAML. All files are read and checked before anything runs.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { BatonError, type Json } from "@baton/core";
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";

const json: z.ZodType<Json> = z.json();
const names = z
  .union([z.string(), z.array(z.string()).min(1)])
  .transform((value) => (Array.isArray(value) ? value : [value]));
const call = z.strictObject({ tool: z.string(), args: json.optional() });
const atLeast = z.number().min(0);
const OUTCOMES = ["done", "paused", "limit", "cancelled", "failed"] as const;
const outcomes = z
  .union([z.enum(OUTCOMES), z.array(z.enum(OUTCOMES)).min(1)])
  .transform((value) => (Array.isArray(value) ? value : [value]));
/** A figure is a check's work: a judge that counts is wrong too often. */
const criterion = z
  .string()
  .min(1)
  .refine((text) => !/\d|how many|how much/i.test(text), "is about a figure; write a check such as text or grounded");

const checks = z.strictObject({
  outcome: outcomes.optional(),
  route: z.array(z.string()).optional(),
  route_includes: z.array(z.string()).min(1).optional(),
  calls: z.array(call).min(1).optional(),
  calls_exactly: z.array(call).optional(),
  never: z
    .array(z.union([z.string().transform((tool): z.infer<typeof call> => ({ tool })), call]))
    .min(1)
    .optional(),
  denied: z.array(z.string()).optional(),
  text: z
    .strictObject({
      contains: names.optional(),
      not_contains: names.optional(),
      equals: z.string().optional(),
      like: names.optional(),
      max_chars: atLeast.optional(),
    })
    .refine((value) => Object.keys(value).length > 0, "is empty")
    .optional(),
  output: z
    .strictObject({ schema: z.record(z.string(), json).optional(), fields: z.record(z.string(), json).optional() })
    .refine((value) => Object.keys(value).length > 0, "is empty")
    .optional(),
  limits: z
    .strictObject({
      steps: atLeast.optional(),
      calls: atLeast.optional(),
      handoffs: atLeast.optional(),
      tokens: atLeast.optional(),
      cost_usd: atLeast.optional(),
      seconds: atLeast.optional(),
    })
    .refine((value) => Object.keys(value).length > 0, "is empty")
    .optional(),
  pauses: z.int().min(0).optional(),
  grounded: z.literal(true).optional(),
  expected: z.literal(true).optional(),
  code: names.optional(),
  judge: z.strictObject({ criteria: z.array(criterion).min(1), reference: z.string().optional() }).optional(),
});

const double = z
  .strictObject({ args: json.optional(), output: json.optional(), error: z.string().optional() })
  .refine(({ output, error }) => (output === undefined) !== (error === undefined), "needs `output` or `error`");

/** Doubles by the names of tools. */
export const doubles = z.record(z.string(), z.array(double).min(1));

const entry = z.strictObject({
  when: z.string().optional(),
  say: z.string().optional(),
  call: z.array(call).optional(),
  fail: z.string().optional(),
  retryable: z.boolean().optional(),
  end: z.literal(true).optional(),
});

const script = z.union([z.string(), z.record(z.string(), z.array(entry))]);

const evalCase = z
  .strictObject({
    id: z.string().regex(/^[\w.:-]{1,128}$/, "must be 1 to 128 letters, digits, _ . : and -"),
    input: z.string().optional(),
    messages: z.array(z.string()).min(1).optional(),
    options: json.optional(),
    user: z.string().optional(),
    tags: z.array(z.string()).default([]),
    expected: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
    script: script.optional(),
    tools: doubles.default({}),
    answers: z.record(z.string(), json).default({}),
    checks,
  })
  .refine(({ input, messages }) => (input === undefined) !== (messages === undefined), "needs `input` or `messages`")
  .refine((value) => Object.keys(value.checks).length > 0, "has no checks")
  .refine((value) => value.checks.expected === undefined || value.expected !== undefined, {
    message: "`expected: true` needs the case's `expected`",
    path: ["checks", "expected"],
  });

/** Answers of a tool in an eval: the first whose `args` fit answers, each once, the last again. */
export type ToolDouble = z.infer<typeof double>;
/** Checks of a case. */
export type CaseChecks = z.infer<typeof checks>;

/** A case, and the file and line where it is written. */
export type EvalCase = z.infer<typeof evalCase> & Readonly<{ file: string; line: number }>;

const MAX_BYTES = 32 * 1_024 * 1_024;
const MAX_YAML_BYTES = 1_024 * 1_024;

/** Reads files of cases; throws one `invalid` that lists everything wrong with them. */
export async function readCases(files: readonly string[]): Promise<readonly EvalCase[]> {
  const read = await Promise.all(files.map(readFileOfCases));
  const problems = read.flatMap((one) => one.problems);
  const cases = read.flatMap((one) => one.cases);
  const seen = new Map<string, EvalCase>();
  for (const one of cases) {
    const other = seen.get(one.id);
    if (other !== undefined)
      problems.push(`${one.file}:${one.line}: the id ${one.id} is also at ${other.file}:${other.line}`);
    seen.set(one.id, one);
  }
  if (problems.length > 0) throw new BatonError("invalid", problems.join("\n"));
  return cases;
}

/** A case that was not read from a file; throws `invalid` with everything wrong with it. */
export function parseCase(value: unknown): EvalCase {
  const parsed = evalCase.safeParse(value);
  if (parsed.success) return { ...parsed.data, file: "", line: 0 };
  throw new BatonError("invalid", parsed.error.issues.map(toText).join("\n"));
}

/** Reads the `checks` of a file that holds nothing else. */
export async function readChecks(file: string): Promise<CaseChecks> {
  const { value } = parseYaml(await readText(file), file);
  const parsed = z.strictObject({ checks }).safeParse(value);
  if (parsed.success) return parsed.data.checks;
  throw new BatonError("invalid", parsed.error.issues.map((issue) => `${file}: ${toText(issue)}`).join("\n"));
}

type FileOfCases = Readonly<{ cases: readonly EvalCase[]; problems: string[] }>;

async function readFileOfCases(file: string): Promise<FileOfCases> {
  const text = await readText(file);
  const items = file.endsWith(".jsonl") ? parseLines(text, file) : parseItems(text, file);
  const problems: string[] = [];
  const cases = items.flatMap(({ value, line, lineOf }): readonly EvalCase[] => {
    const parsed = evalCase.safeParse(value);
    if (parsed.success) {
      const { script: named } = parsed.data;
      if (typeof named === "string" && !existsSync(resolve(dirname(file), named)))
        problems.push(`${file}:${lineOf(["script"])}: there is no script ${named}`);
      return [{ ...parsed.data, file, line }];
    }
    problems.push(...parsed.error.issues.map((issue) => `${file}:${lineOf(issue.path)}: ${toText(issue)}`));
    return [];
  });
  return { cases, problems };
}

async function readText(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) throw new BatonError("invalid", `${file} cannot be read`);
  if (text.length <= (file.endsWith(".jsonl") ? MAX_BYTES : MAX_YAML_BYTES)) return text;
  throw new BatonError("invalid", `${file} is too large; write cases as .jsonl, at most 32 MB a file`);
}

type Item = Readonly<{ value: unknown; line: number; lineOf: (path: readonly PropertyKey[]) => number }>;

function parseLines(text: string, file: string): readonly Item[] {
  return text.split("\n").flatMap((source, at): readonly Item[] => {
    if (source.trim() === "") return [];
    try {
      const value: unknown = JSON.parse(source);
      return [{ value, line: at + 1, lineOf: () => at + 1 }];
    } catch {
      throw new BatonError("invalid", `${file}:${at + 1}: the line is not JSON`);
    }
  });
}

function parseYaml(text: string, file: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: false });
  const [problem] = document.errors;
  if (problem !== undefined)
    throw new BatonError(
      "invalid",
      `${file}:${lines.linePos(problem.pos[0]).line}: ${problem.message.split("\n", 1).join("")}`,
    );
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length >= 0; length--) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      if (typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range))
        return lines.linePos(Number(node.range[0])).line;
    }
    return 1;
  };
  const value: unknown = document.toJS({ maxAliasCount: 50 });
  return { value, lineOf };
}

function parseItems(text: string, file: string): readonly Item[] {
  const { value, lineOf } = parseYaml(text, file);
  if (!Array.isArray(value)) throw new BatonError("invalid", `${file}:1: the file must be a list of cases`);
  const items: readonly unknown[] = value;
  return items.map((item, at) => ({ value: item, line: lineOf([at]), lineOf: (path) => lineOf([at, ...path]) }));
}

function toText({ path, message, ...issue }: z.core.$ZodIssue): string {
  const field = path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const known = field === "checks" ? `; checks are ${Object.keys(checks.shape).join(", ")}` : "";
    return `${field === "" ? "the case" : field} has no field ${issue.keys.map((key) => `\`${key}\``).join(", ")}${known}`;
  }
  return field === "" ? `the case ${message}` : `${field}: ${message}`;
}

/** Whether a file holds cases, by its name. */
export function isCaseFile(path: string): boolean {
  return /\.(jsonl|ya?ml)$/.test(path) && basename(path) !== "labels.jsonl";
}
