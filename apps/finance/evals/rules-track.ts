/**
 * Rules track: every question asked of the crew without a language model, and what comes out of it.
 */
import { Scope, SystemClock } from "@baton/core/ports";
import { openMarket } from "../market/chain/open-market.ts";
import { toArgumentKit } from "./argument-kit.ts";
import type { EvalHarness } from "./eval-harness.ts";
import { generate, listed } from "./generate.ts";
import type { EvaluatedRun } from "./observed.ts";
import { type Question, splitOf } from "./question.ts";
import { QUESTIONS } from "./questions/index.ts";
import { type Marks, markOf } from "./score.ts";

/** Where a question comes from. */
export type TrackPart = "dev" | "held" | "made";

/** One question with its answer. */
export interface TrackAnswer {
  readonly part: TrackPart;
  readonly question: Question;
  readonly observed: EvaluatedRun;
  readonly marks: Marks;
}

type AskedQuestion = Readonly<{ question: Question; part: TrackPart }>;

/** Chooses the questions that are asked. */
export type QuestionChoice = (questions: readonly AskedQuestion[]) => readonly AskedQuestion[];

const DAY_MS = 86_400_000;
const AT_ONCE = 4;

/** The seed of a day. */
export function seedOf(now: number): string {
  return new Date(Math.floor(now / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
}

/** Asks all questions, those that the seed makes too. */
export async function answerAll(
  harness: EvalHarness,
  seed: string,
  choose: QuestionChoice = (questions) => questions,
): Promise<readonly TrackAnswer[]> {
  const market = await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock: new SystemClock() });
  await using scope = Scope.root({ clock: new SystemClock(), name: "evals" });
  const made = generate(seed, await listed(market, scope));
  const kit = toArgumentKit(harness.tools, market.directory, market.today());
  const asked = [
    ...QUESTIONS.map((question) => ({ question, part: splitOf(question) })),
    ...made.map((question) => ({ question, part: "made" as const })),
  ];
  const left = choose(asked).entries();
  const answers: TrackAnswer[] = [];
  const work = async (): Promise<void> => {
    for (const [index, { question, part }] of left) {
      const observed = await harness.ask(question);
      answers[index] = { part, question, observed, marks: markOf(question, observed, kit) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}
