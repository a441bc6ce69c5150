/**
 * `baton chaos`: plays a conversation once, then once more for each fault, and says what the user would have seen.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { BatonError, type RunEvent } from "@baton/core";
import type { EvalCase } from "@baton/evals";
import type { ChaosReport, FaultKind, KillJob } from "@baton/evals/chaos";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { findCrew, isCrew } from "../crew/crew-path.ts";
import { openCrew, requireCrew } from "../crew/crew-loader.ts";
import { folderOf, requireDatabase } from "../runs/data-folder.ts";
import { requireRun } from "../runs/run-search.ts";
import { toOneLine } from "../terminal/printable.ts";
import { findCases } from "./case-files.ts";
import { findPaid, toCap } from "./money.ts";

const DEFECTS = 1;
const WORKER = fileURLToPath(new URL(`./chaos-worker${extname(import.meta.url)}`, import.meta.url));

/** Plays a conversation with all faults. */
export const command: CliCommand = async (commandLine) => {
  const [first, ...rest] = commandLine.positionals;
  const isNamed = first !== undefined && (await isCrew(first));
  const path = await findCrew(isNamed ? first : undefined);
  const words = isNamed ? rest : commandLine.positionals;
  const only = await toKinds(commandLine);
  const { runChaos, toPlan } = await import("@baton/evals/chaos");
  const plan = toPlan(await playFirst(commandLine, path, words.join(" ")));
  const { crew } = await requireCrew(path);
  const isShown = process.stderr.isTTY && !commandLine.flags.has("json");
  const report = await runChaos({
    crew,
    plan,
    only,
    startProcess: (job) => startProcess(path, job),
    onResult: (done, of) => {
      if (isShown) process.stderr.write(`\r${done} of ${of} faults`);
    },
  });
  if (isShown) process.stderr.write("\n");
  process.stdout.write(commandLine.flags.has("json") ? `${JSON.stringify(report, undefined, 2)}\n` : toText(report));
  return report.lost + report.repeated + report.stuck === 0 ? 0 : DEFECTS;
};

async function toKinds(commandLine: CommandLine): Promise<readonly FaultKind[]> {
  const { FAULT_KINDS } = await import("@baton/evals/chaos");
  const words = valueOf(commandLine, "only")?.split(",");
  const unknown = words?.find((word) => !FAULT_KINDS.some((kind) => kind === word));
  if (unknown !== undefined)
    throw new BatonError("invalid", `--only is ${toOneLine(unknown)}; write one of ${FAULT_KINDS.join(", ")}`);
  return FAULT_KINDS.filter((kind) => words?.includes(kind) ?? true);
}

/** The logs of the conversation: recorded, or played now with the crew's own models and no real writes. */
async function playFirst(
  commandLine: CommandLine,
  path: string,
  input: string,
): Promise<readonly (readonly RunEvent[])[]> {
  const [run, id] = [valueOf(commandLine, "run"), valueOf(commandLine, "case")];
  if ([run, id, input || undefined].filter((one) => one !== undefined).length !== 1)
    throw new BatonError("invalid", "write an input, --case ID or --run RUN");
  if (run !== undefined) return [await readRun(commandLine, run)];
  const { parseCase, playCase } = await import("@baton/evals");
  const one =
    id === undefined ? parseCase({ id: "input", input, checks: { outcome: "done" } }) : await findCase(path, id);
  const { readLogs } = await import("@baton/evals/chaos");
  const { openMemory } = await import("@baton/store/sqlite");
  const { Store } = await import("@baton/store");
  await using opened = await openCrew(path, commandLine);
  const { crew, models } = opened;
  const paid = one.script === undefined ? findPaid(opened) : [];
  const inputs = one.messages?.length ?? 1;
  const cap = await toCap(commandLine, opened, { paid, what: "the first conversation", inputs });
  await using store = await Store.open({ database: openMemory() });
  models.spendIn(store.database.ledger);
  const played = await playCase(one, 1, {
    crew,
    store,
    model: () => models.modelOf,
    ...(cap !== undefined && { maxUsd: cap }),
  });
  const [missing] = played.missing;
  if (missing !== undefined) throw new BatonError("invalid", missing);
  return await readLogs(store);
}

async function readRun(commandLine: CommandLine, run: string): Promise<readonly RunEvent[]> {
  await using database = await requireDatabase(folderOf(commandLine));
  const { readAll } = await import("@baton/store");
  return await readAll(database, (await requireRun(database, run)).id);
}

async function findCase(path: string, id: string): Promise<EvalCase> {
  const { readCases } = await import("@baton/evals");
  const found = (await readCases(await findCases(path))).find((one) => one.id === id);
  if (found === undefined) throw new BatonError("invalid", `there is no case ${toOneLine(id)}`);
  return found;
}

/** Starts a process that plays the conversation, and waits until it is dead. */
async function startProcess(path: string, job: KillJob): Promise<void> {
  const file = join(job.folder, "job.json");
  await writeFile(file, JSON.stringify(job));
  const child = spawn(process.execPath, [WORKER, resolve(path), file], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = `${said}${text}`.slice(-1_000)));
  await once(child, "exit");
  if (child.signalCode === "SIGKILL" || child.exitCode === 0) return;
  const { ChaosProcessError } = await import("@baton/evals/chaos");
  throw new ChaosProcessError(`the process that is to be killed failed: ${toOneLine(said)}`);
}

const MARKS = { same: "=", asked: "?", degraded: "~", lost: "✗", repeated: "✗", stuck: "✗" } as const;

function toText({ faults, lost, repeated, stuck, results, ...counts }: ChaosReport): string {
  const lines = results.flatMap(({ fault, at, event, result, why, user_saw: saw }) => {
    if (result === "same") return [];
    const seen = saw === "" ? [] : [`    the user saw: ${toOneLine(saw)}`];
    return [`${MARKS[result]} ${result}: ${fault} at ${at} (${event}): ${toOneLine(why)}`, ...seen];
  });
  const sum = `${counts.same} same, ${counts.asked} asked, ${counts.degraded} degraded`;
  const last = `chaos: ${faults} faults, ${lost} lost, ${repeated} repeated, ${stuck} stuck`;
  return `${[...lines, sum, last].join("\n")}\n`;
}
