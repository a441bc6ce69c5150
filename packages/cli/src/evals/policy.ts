/**
 * `baton policy try`: decides about the calls of recorded runs by a crew's rules, or by others, and lists what changes.
 */
import { readFile } from "node:fs/promises";
import { BatonError, type Crew, type Json, type RunEvent } from "@baton/core";
import { parseJson } from "@baton/core/util";
import type { PolicyTrial } from "@baton/policy";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { findCrew, isCrew } from "../crew/crew-path.ts";
import { requireCrew } from "../crew/crew-loader.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { folderOf, requireDatabase } from "../runs/data-folder.ts";
import { listRuns, requireRun } from "../runs/run-search.ts";
import { toOneLine } from "../terminal/printable.ts";

const MAX_RUNS = 10_000;

/** Tries rules. */
export const command: CliCommand = async (commandLine) => {
  const [action, ...words] = commandLine.positionals;
  if (action !== "try") throw new BatonError("invalid", "write `baton policy try [CREW] [RUN…]`");
  const [first] = words;
  const isNamed = first !== undefined && (await isCrew(first));
  const hasOwn = isNamed || (await isCrew("."));
  const path = hasOwn ? await findCrew(isNamed ? first : undefined) : undefined;
  const crew = path === undefined ? undefined : (await requireCrew(path)).crew;
  const policies = await readRules(commandLine, crew);
  const events = await readEvents(commandLine, { crew, words: isNamed ? words.slice(1) : words });
  const { tryPolicies } = await import("@baton/policy");
  const { verdicts, ...trial } = tryPolicies(policies, events, crew);
  const labels = await countLabels(commandLine, verdicts);
  const result = labels === undefined ? trial : { ...trial, labels };
  if (commandLine.flags.has("json")) process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
  else process.stdout.write(toText(trial, labels));
  return EXIT_CODES.done;
};

/** The rules of `--rules`, or the crew's; throws if they are wrong. */
async function readRules(commandLine: CommandLine, crew: Crew | undefined): Promise<Json> {
  const file = valueOf(commandLine, "rules");
  if (file === undefined) {
    if (crew === undefined) throw new BatonError("invalid", "name a crew, or rules with --rules FILE");
    return crew.policies ?? {};
  }
  const { checkRules, openPolicies, reportPolicies } = await import("@baton/crewfile");
  const { policies, root, source } = await openPolicies(file);
  const definition = { agents: [...(crew?.agents.values() ?? [])], tools: [...(crew?.tools.values() ?? [])] };
  const found =
    policies === undefined ? [] : checkRules({ ...definition, policies, subCrews: crew?.subCrews ?? new Map() });
  const isKnown = ({ code }: { readonly code: string }) => crew !== undefined || !code.startsWith("unknown_tool");
  if (root !== undefined) reportPolicies(found.filter(isKnown), root);
  const errors = (source?.findings ?? []).filter(({ severity }) => severity === "error");
  if (policies !== undefined && errors.length === 0) return policies;
  const lines = errors.map(({ file: name, line, column, message }) => `${name}:${line}:${column}: ${message}`);
  throw new BatonError("invalid", lines.join("\n") || `${file} has no rules`);
}

type Asked = Readonly<{ crew: Crew | undefined; words: readonly string[] }>;

async function readEvents(commandLine: CommandLine, { crew, words }: Asked): Promise<readonly RunEvent[]> {
  const file = valueOf(commandLine, "events");
  if (file !== undefined) return readLines(file, isEvent, "an event, as `baton runs show --json` prints it");
  await using database = await requireDatabase(folderOf(commandLine));
  const { readAll } = await import("@baton/store");
  const query = { crew: crew?.name, session: undefined, status: undefined, limit: MAX_RUNS };
  const runs =
    words.length === 0
      ? await listRuns(database, query)
      : await Promise.all(words.map((word) => requireRun(database, word)));
  if (runs.length === 0)
    throw new BatonError("not_found", `there are no runs of ${crew?.name ?? "any crew"} in this data folder`);
  const events: RunEvent[] = [];
  for (const { id } of runs) events.push(...(await readAll(database, id)));
  return events;
}

async function readLines<T>(file: string, isIt: (value: unknown) => value is T, what: string): Promise<readonly T[]> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) throw new BatonError("invalid", `${file} cannot be read`);
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const value = parseJson(line);
    if (isIt(value)) return [value];
    throw new BatonError("invalid", `${file}:${at + 1}: not ${what}`);
  });
}

function isEvent(value: unknown): value is RunEvent {
  return hasTexts(value, ["type", "run", "lane"]) && "seq" in value && typeof value.seq === "number";
}

type Label = Readonly<{ run: string; call: string; label: string }>;

const isLabel = (value: unknown): value is Label => hasTexts(value, ["run", "call", "label"]);

function hasTexts(value: unknown, names: readonly string[]): value is object {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map(Object.entries(value));
  return names.every((name) => typeof fields.get(name) === "string");
}

type Counts = Record<"calls" | "allow" | "ask" | "deny", number>;

/** Verdicts by label; throws if a label has no call. */
async function countLabels(
  commandLine: CommandLine,
  verdicts: PolicyTrial["verdicts"],
): Promise<Record<string, Counts> | undefined> {
  const file = valueOf(commandLine, "labels");
  if (file === undefined) return undefined;
  const byCall = new Map(verdicts.map((one) => [`${one.run} ${one.call}`, one.now]));
  const counts = new Map<string, Counts>();
  for (const { run, call, label } of await readLines(file, isLabel, "a label: {run, call, label}")) {
    const verdict = byCall.get(`${run} ${call}`);
    if (verdict === undefined)
      throw new BatonError("invalid", `${file}: run ${run} has no call ${call} that reached permission`);
    const own = counts.get(label) ?? { calls: 0, allow: 0, ask: 0, deny: 0 };
    own.calls += 1;
    own[verdict] += 1;
    counts.set(label, own);
  }
  return Object.fromEntries(counts);
}

function toText(
  { runs, calls, allow, ask, deny, changed }: Omit<PolicyTrial, "verdicts">,
  labels: object | undefined,
): string {
  const lines = changed.map(({ run, call, tool, args, was, now, message }) => {
    const shown = toOneLine(JSON.stringify(args)).slice(0, 120);
    return `${run} ${call} ${tool} ${shown}\n  ${was} → ${now}${message === "" ? "" : `: ${toOneLine(message)}`}`;
  });
  const counted = Object.entries(labels ?? {}).map(([label, own]) => `${label}: ${JSON.stringify(own)}`);
  const sum = `${runs} runs, ${calls} calls: ${allow} allow, ${ask} ask, ${deny} deny; ${changed.length} change`;
  return `${[...lines, ...counted, sum].join("\n")}\n`;
}
