/**
 * `baton eval`: plays a crew's cases, checks what it did, and says whether the gates hold.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openDatabase, openStore } from "@baton/baton/store";
import { BatonError, type Crew, type Model, scriptModel } from "@baton/core";
import type { CodeCheck, EvalCase, EvalReport, TrialModel, TrialResult } from "@baton/evals";
import type { Store } from "@baton/store";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { findCrew, isCrew } from "../crew/crew-path.ts";
import { openCrew, type OpenedCrew } from "../crew/crew-loader.ts";
import { folderOf, requireDatabase } from "../runs/data-folder.ts";
import { requireRun } from "../runs/run-search.ts";
import { toOneLine } from "../terminal/printable.ts";
import { findCases, folderOfCrew } from "./case-files.ts";
import { findPaid, isPaid, toCap, toNumber } from "./money.ts";

const BROKEN = 1;

/** Plays cases, scores stored runs, or imports cases. */
export const command: CliCommand = async (commandLine) => {
  const [first, second, ...rest] = commandLine.positionals;
  if (first === "import") return importFile(commandLine, second, rest);
  const words = commandLine.positionals;
  const isNamed = first !== undefined && (await isCrew(first));
  const others = isNamed ? words.slice(1) : words;
  if (commandLine.flags.has("runs")) return scoreRuns(commandLine, others);
  return play(commandLine, { path: await findCrew(isNamed ? first : undefined), files: others });
};

async function importFile(
  commandLine: CommandLine,
  file: string | undefined,
  more: readonly string[],
): Promise<number> {
  const out = valueOf(commandLine, "out");
  if (file === undefined || more.length > 0 || out === undefined)
    throw new BatonError("invalid", "write `baton eval import FILE --out FILE`");
  const { importCases } = await import("@baton/evals");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) throw new BatonError("invalid", `${file} cannot be read`);
  await writeFile(out, importCases(text, basename(file, extname(file)).replaceAll(/[^\w.-]/g, "-")));
  return 0;
}

/** Scores stored runs with checks, with no run at all. */
async function scoreRuns(commandLine: CommandLine, more: readonly string[]): Promise<number> {
  const { readChecks, scoreRun, toReport, toScoredRun } = await import("@baton/evals");
  const file = valueOf(commandLine, "checks");
  if (file === undefined) throw new BatonError("invalid", "--runs needs --checks FILE");
  const checks = await readChecks(file);
  await using database = await requireDatabase(folderOf(commandLine));
  const { readAll } = await import("@baton/store");
  const results: TrialResult[] = [];
  for (const word of [...(valueOf(commandLine, "runs") ?? "").split(","), ...more]) {
    const { id, definition } = await requireRun(database, word);
    const run = toScoredRun(await readAll(database, id));
    const scored = await scoreRun(run, checks, {});
    const status = scored.some(({ isError }) => isError) ? "error" : scored.every(({ pass }) => pass) ? "pass" : "fail";
    const about = {
      case: id,
      trial: 1,
      version: definition.slice(0, 12),
      run: id,
      cost_usd: run.costUsd ?? 0,
      seconds: run.seconds,
    };
    results.push({ ...about, status, checks: scored });
  }
  return await finish(commandLine, toReport("runs", results.length, results));
}

type Played = Readonly<{ path: string; files: readonly string[] }>;

async function play(commandLine: CommandLine, { path, files }: Played): Promise<number> {
  const { compareReports, readCases } = await import("@baton/evals");
  const all = await readCases(files.length === 0 ? await findCases(path) : files);
  const cases = select(all, commandLine);
  if (cases.length === 0) throw new BatonError("invalid", `there are no cases in ${join(folderOfCrew(path), "evals")}`);
  const against = valueOf(commandLine, "against");
  const other = against === undefined ? undefined : await findCrew(against);
  await using store = await openStore(
    await openDatabase({
      data: folderOf(commandLine),
      ...(commandLine.flags.has("no-store") ? { store: "memory" as const } : {}),
    }),
  );
  const own = await playOne(commandLine, path, { cases, store });
  if (other === undefined) return await finish(commandLine, own);
  const theirs = await playOne(commandLine, other, { cases, store });
  return await finish(commandLine, { ...own, against: compareReports(own, theirs) });
}

function select(cases: readonly EvalCase[], commandLine: CommandLine): readonly EvalCase[] {
  const [tags, ids] = [valueOf(commandLine, "tag")?.split(","), valueOf(commandLine, "only")?.split(",")];
  const missing = ids?.find((id) => !cases.some((one) => one.id === id));
  if (missing !== undefined) throw new BatonError("invalid", `there is no case ${toOneLine(missing)}`);
  return cases.filter(
    (one) => (ids?.includes(one.id) ?? true) && (tags?.some((tag) => one.tags.includes(tag)) ?? true),
  );
}

type Playing = Readonly<{ cases: readonly EvalCase[]; store: Store }>;

async function playOne(commandLine: CommandLine, path: string, { cases, store }: Playing): Promise<EvalReport> {
  const { evaluate, openReplies } = await import("@baton/evals");
  const { toCrewRecord } = await import("@baton/durable");
  await using opened = await openCrew(path, commandLine);
  const { crew, models } = opened;
  const { flags } = commandLine;
  const repeat = toNumber(commandLine, "repeat", 1);
  const paid = flags.has("recorded")
    ? []
    : findPaid(opened).filter(() => cases.some(({ script }) => script === undefined));
  const maxTotalUsd = await toCap(commandLine, { paid, trials: cases.length * repeat });
  models.spendIn(store.database.ledger);
  const mode = flags.has("fresh") ? "fresh" : flags.has("recorded") ? "recorded" : "kept";
  const folder = join(folderOf(commandLine), "evals", crew.name);
  const keep = paid.length === 0 && mode !== "recorded" ? undefined : await openReplies(folder, mode);
  const model =
    (trial: number): TrialModel =>
    (agent, own) => {
      const named = models.modelOf(agent, own);
      return keep === undefined || !isPaid(named) ? named : keep(named, trial);
    };
  const judge = await openJudge(commandLine, opened);
  const isShown = process.stderr.isTTY && !flags.has("json");
  let done = 0;
  const onResult = () => {
    done += 1;
    if (isShown) process.stderr.write(`\r${done} of ${cases.length * repeat} trials`);
  };
  const report = await evaluate({
    crew,
    cases,
    store,
    model,
    repeat,
    parallel: toNumber(commandLine, "parallel", 4),
    version: toCrewRecord(crew).hash.slice(0, 12),
    liveTools: flags.has("live-tools"),
    context: { code: await loadChecks(folderOfCrew(path)) },
    onResult,
    ...(judge === undefined ? {} : { judge }),
    ...(maxTotalUsd === undefined ? {} : { maxTotalUsd }),
  });
  if (isShown) process.stderr.write("\n");
  return report;
}

/** The checks of evals/checks.ts, by their names. */
async function loadChecks(folder: string): Promise<ReadonlyMap<string, CodeCheck>> {
  const file = join(folder, "evals", "checks.ts");
  if (!existsSync(file)) return new Map();
  const module: unknown = await import(pathToFileURL(resolve(file)).href);
  const all = typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
  const checks = typeof all === "object" && all !== null ? Object.entries(all) : [];
  return new Map(checks.filter((entry): entry is [string, CodeCheck] => typeof entry[1] === "function"));
}

type Judging = Parameters<Awaited<typeof import("@baton/evals")>["judge"]>[1];

async function openJudge(
  commandLine: CommandLine,
  { crew, models }: OpenedCrew,
): Promise<((judged: Judging) => Promise<boolean | string>) | undefined> {
  const name = valueOf(commandLine, "judge");
  if (name === undefined) return undefined;
  const { judge } = await import("@baton/evals");
  const model = name.startsWith("script:")
    ? await openJudgeScript(name.slice("script:".length))
    : toJudgeModel(name, crew, models);
  const own = new Set(findPaid({ crew, models }));
  if (own.has(model.name))
    process.stderr.write(`baton: ${model.name} judges its own answers; name another model with --judge\n`);
  return (judged) => judge(model, judged);
}

async function openJudgeScript(file: string): Promise<Model> {
  const { defineCrew } = await import("@baton/core");
  const { readScript } = await import("@baton/crewfile");
  const { script, findings } = await readScript(file, defineCrew({ name: "judge", agents: [{ id: "judge" }] }));
  if (script !== undefined) return scriptModel(script);
  throw new BatonError("invalid", `${file}: ${findings.map(({ message }) => message).join("; ")}`);
}

function toJudgeModel(name: string, crew: Crew, models: OpenedCrew["models"]): Model {
  const [agent] = crew.agents.values();
  if (agent === undefined) throw new BatonError("internal", "the crew has no agent");
  return models.modelOf({ ...agent, model: { name } }, crew);
}

async function finish(commandLine: CommandLine, report: EvalReport): Promise<number> {
  const { findBrokenGates, redactSecrets, toJsonLines, toJunit } = await import("@baton/evals");
  const { flags } = commandLine;
  const clean = (text: string) => redactSecrets(text, process.env);
  const [jsonl, junit] = [valueOf(commandLine, "jsonl"), valueOf(commandLine, "junit")];
  if (jsonl !== undefined) await writeFile(jsonl, clean(toJsonLines(report.results)));
  if (junit !== undefined) await writeFile(junit, clean(toJunit(report)));
  const broken = findBrokenGates(report, {
    minPass: toNumber(commandLine, "min-pass", 1),
    minPassK: flags.has("min-pass-k") ? toNumber(commandLine, "min-pass-k", 0) : undefined,
    maxCostUsd: flags.has("max-cost-usd") ? toNumber(commandLine, "max-cost-usd", 0) : undefined,
    noWorse: flags.has("no-worse"),
  });
  process.stdout.write(clean(flags.has("json") ? `${JSON.stringify(report, undefined, 2)}\n` : toText(report)));
  for (const gate of broken) process.stderr.write(`baton: ${gate}\n`);
  return broken.length === 0 ? 0 : BROKEN;
}

function toText(report: EvalReport): string {
  const lines = report.results.flatMap(({ case: id, trial, status, run, checks }) => {
    const mark = { pass: "✓", fail: "✗", error: "!" }[status];
    const failed = checks.filter(({ pass }) => !pass).map(({ check, why }) => `    ${check}: ${toOneLine(why)}`);
    return [`${mark} ${id}${trial > 1 ? ` #${trial}` : ""}${status === "pass" ? "" : `  ${run}`}`, ...failed];
  });
  const round = (value: number) => Math.round(value * 1_000) / 10;
  const rates = report.pass_k.map(
    ({ k, value, low, high }) => `pass^${k}: ${round(value)} % (95 %: ${round(low)} to ${round(high)})`,
  );
  const { against } = report;
  const compared =
    against === undefined
      ? []
      : [
          `against: ${against.better} better, ${against.worse} worse, ${against.same} same, p = ${against.p.toFixed(3)}: ${against.verdict}`,
        ];
  const { crew, cases, trials, passed, failed, errors, cost_usd: cost } = report;
  const sum = `${crew}: ${cases} cases, ${trials} trials, ${passed} passed, ${failed} failed, ${errors} errors, ${cost.toFixed(4)} USD`;
  return `${[...lines, ...rates, ...compared, sum].join("\n")}\n`;
}
