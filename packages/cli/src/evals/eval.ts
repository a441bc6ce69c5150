/**
 * `baton eval`: plays a crew's cases, checks what it did, and says whether the gates hold.
 */
import { readFile, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { openDatabase, openStore } from "@baton/baton/store";
import { BatonError } from "@baton/core";
import type { CodeCheck, EvalCase, EvalReport, TrialModel, TrialResult } from "@baton/evals";
import type { Store } from "@baton/store";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { findCrew, isCrew } from "../crew/crew-path.ts";
import { openCrew, type OpenedCrew } from "../crew/crew-loader.ts";
import { folderOf, requireDatabase } from "../runs/data-folder.ts";
import { requireRun } from "../runs/run-search.ts";
import { toOneLine } from "../terminal/printable.ts";
import { findCases, folderOfCrew, loadChecks } from "./case-files.ts";
import { findPaid, isPaid, toCap, toNumber } from "./money.ts";
import { openJudge, type OpenedJudge, readLabels, toJudgeLines } from "./judge.ts";

const BROKEN = 1;

/** Plays cases, scores stored runs, or imports cases. */
export const command: CliCommand = async (commandLine) => {
  const [first, second, ...rest] = commandLine.positionals;
  if (first === "import") return importFile(commandLine, second, rest);
  const words = commandLine.positionals;
  const isNamed = first !== undefined && (await isCrew(first));
  const others = isNamed ? words.slice(1) : words;
  if (commandLine.flags.has("runs")) return scoreRuns(commandLine, isNamed ? first : undefined, others);
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
async function scoreRuns(commandLine: CommandLine, path: string | undefined, more: readonly string[]): Promise<number> {
  const { readChecks, scoreRun, toReport, toScoredRun, toStatus } = await import("@baton/evals");
  const file = valueOf(commandLine, "checks");
  if (file === undefined) throw new BatonError("invalid", "--runs needs --checks FILE");
  const checks = await readChecks(file);
  await using database = await requireDatabase(folderOf(commandLine));
  const { readAll } = await import("@baton/store");
  const code = path === undefined ? new Map<string, CodeCheck>() : await loadChecks(folderOfCrew(path));
  const results: TrialResult[] = [];
  for (const word of [...(valueOf(commandLine, "runs") ?? "").split(","), ...more]) {
    const { id, definition } = await requireRun(database, word);
    const run = toScoredRun(await readAll(database, id));
    const scored = await scoreRun(run, checks, { code });
    const about = { case: id, trial: 1, version: definition.slice(0, 12), run: id };
    const cost = { cost_usd: run.costUsd ?? 0, seconds: run.seconds };
    results.push({ ...about, status: toStatus(scored), checks: scored, ...cost });
  }
  return await finish(commandLine, toReport("runs", results.length, results));
}

type Played = Readonly<{ path: string; files: readonly string[] }>;

async function play(commandLine: CommandLine, { path, files }: Played): Promise<number> {
  const { compareReports, readCases, toAgreement } = await import("@baton/evals");
  const all = await readCases(files.length === 0 ? await findCases(path) : files);
  const cases = select(all, commandLine);
  if (cases.length === 0) throw new BatonError("invalid", `there are no cases in ${join(folderOfCrew(path), "evals")}`);
  const labels = await readLabels(folderOfCrew(path));
  const against = valueOf(commandLine, "against");
  await using opened = await openCrew(path, commandLine);
  await using other = against === undefined ? undefined : await openCrew(await findCrew(against), commandLine);
  const isStored = !commandLine.flags.has("no-store");
  await using store = await openStore(
    await openDatabase({ data: folderOf(commandLine), ...(!isStored && { store: "memory" as const }) }),
  );
  const judge = await openJudge(commandLine, opened);
  const crews = [opened, ...(other === undefined ? [] : [other])];
  const purse = await openPurse(commandLine, crews, { cases, store, judge });
  const playing = { cases, store, purse, judge };
  const own = await playCrew(commandLine, opened, playing);
  const agreement = toAgreement(own, labels);
  const judged = agreement === undefined ? own : { ...own, judge: agreement };
  if (isStored) await storeReport(store, judged);
  if (other === undefined) return await finish(commandLine, judged);
  const theirs = await playCrew(commandLine, other, playing);
  if (isStored) await storeReport(store, theirs);
  return await finish(commandLine, { ...judged, against: compareReports(own, theirs) });
}

async function storeReport(store: Store, report: EvalReport): Promise<void> {
  const { redactSecrets, saveEval } = await import("@baton/evals");
  const { LOCAL, newRunId } = await import("@baton/store");
  const at = store.clock.now();
  const clean = (text: string) => redactSecrets(text, process.env);
  await saveEval(store.database.documents(LOCAL), report, { id: newRunId(at), at, clean });
}

function select(cases: readonly EvalCase[], commandLine: CommandLine): readonly EvalCase[] {
  const [tags, ids] = [valueOf(commandLine, "tag")?.split(","), valueOf(commandLine, "only")?.split(",")];
  const missing = ids?.find((id) => !cases.some((one) => one.id === id));
  if (missing !== undefined) throw new BatonError("invalid", `there is no case ${toOneLine(missing)}`);
  return cases.filter(
    (one) => (ids?.includes(one.id) ?? true) && (tags?.some((tag) => one.tags.includes(tag)) ?? true),
  );
}

type Playing = Readonly<{
  cases: readonly EvalCase[];
  store: Store;
  judge: OpenedJudge | undefined;
  purse?: { leftUsd: number } | undefined;
}>;

const repeatOf = (commandLine: CommandLine): number => Math.max(1, Math.floor(toNumber(commandLine, "repeat", 1)));

/** Money for the trials of all crews together; undefined if nothing costs any. */
async function openPurse(
  commandLine: CommandLine,
  crews: readonly OpenedCrew[],
  { cases, store, judge }: Playing,
): Promise<{ leftUsd: number } | undefined> {
  const [opened] = crews;
  if (opened === undefined) return undefined;
  const { listEvals } = await import("@baton/evals");
  const { LOCAL } = await import("@baton/store");
  const asked = commandLine.flags.has("recorded") ? [] : cases.filter(({ script }) => script === undefined);
  const plays = crews.length * repeatOf(commandLine);
  const criteria = cases.reduce((sum, { checks }) => sum + (checks.judge?.criteria.length ?? 0), 0);
  const earlier = await listEvals(store.database.documents(LOCAL), { crew: opened.crew.name, limit: 20 });
  const priced = earlier.find(({ cost_usd: cost }) => cost > 0);
  const cap = await toCap(commandLine, opened, {
    paid: asked.length === 0 ? [] : [...new Set(crews.flatMap(findPaid))],
    what: `${asked.length * plays} trials`,
    inputs: asked.reduce((sum, { messages }) => sum + (messages?.length ?? 1), 0) * plays,
    others: judge === undefined ? [] : [{ model: judge.model, calls: criteria * judge.votes * plays }],
    earlierUsd: priced && (priced.cost_usd / priced.trials) * asked.length * plays,
  });
  return cap === undefined ? undefined : { leftUsd: cap };
}

async function playCrew(commandLine: CommandLine, opened: OpenedCrew, playing: Playing): Promise<EvalReport> {
  const { evaluate, openReplies } = await import("@baton/evals");
  const { toCrewRecord } = await import("@baton/durable");
  const { crew, models, path } = opened;
  const { cases, store, purse, judge } = playing;
  const { flags } = commandLine;
  const repeat = repeatOf(commandLine);
  models.spendIn(store.database.ledger);
  const mode = flags.has("fresh") ? "fresh" : flags.has("recorded") ? "recorded" : "kept";
  const folder = join(folderOf(commandLine), "evals", crew.name);
  const keep = findPaid(opened).length === 0 && mode !== "recorded" ? undefined : await openReplies(folder, mode);
  const model =
    (trial: number): TrialModel =>
    (agent, own) => {
      const named = models.modelOf(agent, own);
      return keep === undefined || !isPaid(named) ? named : keep(named, trial);
    };
  const isShown = process.stderr.isTTY && !flags.has("json");
  const of = cases.length * repeat;
  let done = 0;
  const onResult = () => {
    done += 1;
    if (isShown) process.stderr.write(`\r${toBar(done / of)} ${done} of ${of} trials`);
  };
  const report = await evaluate({
    crew,
    cases,
    store,
    model,
    repeat,
    purse,
    parallel: toNumber(commandLine, "parallel", 4),
    version: toCrewRecord(crew).hash.slice(0, 12),
    live: flags.has("live-tools") ? "all" : "read",
    context: { code: await loadChecks(folderOfCrew(path)) },
    onResult,
    ...(judge !== undefined && { judge: judge.ask }),
  });
  if (isShown) process.stderr.write("\n");
  return report;
}

const BAR_CHARS = 20;
const toBar = (share: number): string => "█".repeat(Math.round(share * BAR_CHARS)).padEnd(BAR_CHARS, "░");

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
  const { judge } = report;
  const labelled = judge === undefined ? [] : toJudgeLines(judge);
  const { crew, cases, trials, passed, failed, errors, cost_usd: cost } = report;
  const sum = `${crew}: ${cases} cases, ${trials} trials, ${passed} passed, ${failed} failed, ${errors} errors, ${cost.toFixed(4)} USD`;
  return `${[...lines, ...rates, ...compared, ...labelled, sum].join("\n")}\n`;
}
