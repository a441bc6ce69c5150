/**
 * Model track: questions asked of the crew with a language model.
 *
 * Every answer is kept in a file, a line each, so that scoring again, or going on after a break, asks nothing twice. A run
 * that failed is not kept: a provider that was down is asked again.
 */
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import type { MarketData } from "../market/port/market-data.ts";
import { toArgumentKit } from "./argument-kit.ts";
import type { EvalHarness } from "./eval-harness.ts";
import { OBSERVED, type EvaluatedRun } from "./observed.ts";
import { type Question, splitOf } from "./question.ts";
import type { TrackAnswer } from "./rules-track.ts";
import { markOf } from "./score.ts";

/** The questions, the number of repetitions, and the file for the answers. */
export interface ModelTrack {
  readonly harness: EvalHarness;
  readonly market: Pick<MarketData, "directory" | "today">;
  readonly questions: readonly Question[];
  readonly repeat: number;
  readonly file: string;
}

const LINE = z.object({ key: z.string(), observed: OBSERVED });

/** Asks what the file does not have yet, and marks all. */
export async function answerWithModel({
  harness,
  market,
  questions,
  repeat,
  file,
}: ModelTrack): Promise<readonly TrackAnswer[]> {
  const kit = toArgumentKit(harness.tools, market.directory, market.today());
  const kept = await readKept(file);
  const answers: TrackAnswer[] = [];
  for (const question of questions) {
    for (let time = 1; time <= repeat; time += 1) {
      const key = keyOf(question, time);
      const observed = kept.get(key) ?? (await askAndKeep(harness, question, { key, file }));
      answers.push({ part: splitOf(question), question, observed, marks: markOf(question, observed, kit) });
    }
  }
  return answers;
}

/** A question that was changed is another one. */
const keyOf = ({ earlier, text, options }: Question, time: number): string =>
  JSON.stringify([...earlier, text, options, time]);

async function askAndKeep(
  harness: EvalHarness,
  question: Question,
  { key, file }: Readonly<{ key: string; file: string }>,
): Promise<EvaluatedRun> {
  const observed = await harness.ask(question);
  if (observed.outcome === "failed") return observed;
  await mkdir(dirname(file), { recursive: true });
  // The line break goes first: what a crash left of a line stays a line of its own.
  await appendFile(file, `\n${JSON.stringify({ key, observed })}`);
  return observed;
}

/** The answers of a file; what a crash left of a line is asked again. */
async function readKept(file: string): Promise<ReadonlyMap<string, EvaluatedRun>> {
  const text = await readFile(file, "utf8").catch(() => "");
  const kept = new Map<string, EvaluatedRun>();
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const parsed = LINE.safeParse(parseLine(line));
    if (parsed.success) kept.set(parsed.data.key, parsed.data.observed);
  }
  return kept;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
