/**
 * Run result: what a run has produced at a pause or at its end.
 *
 * `toResult` is the only builder of a result: of a live run, a stored one, one that a server answers with.
 */
import { BatonError, type Failure } from "../words/error.ts";
import type { EventBodyOf, Outcome, Receipt } from "../words/event.ts";
import type { Crew } from "../definitions/definition.ts";
import { forSession } from "../views/history.ts";
import type { RunEnd } from "../views/progress.ts";
import { omitUndefined, type Json } from "../words/json.ts";
import type { Message, Usage } from "../words/message.ts";
import type { RunWarning, RunTotals } from "../words/totals.ts";

/** Result of a run at a pause or at its end; `Output` is what its crew's agents give. */
export interface RunResult<Output = Json> {
  readonly outcome: Outcome;
  /** The agent that had the baton last. */
  readonly agent: string;
  /** The final reply for people, signals taken out; of an interrupted run what was said so far. */
  readonly content: string;
  /** The final reply as the model wrote it. */
  readonly raw: string;
  /** Output of the last agent, if it has an output schema. */
  readonly output?: Output;
  readonly error?: Failure;
  readonly receipt?: Receipt;
  /** The questions a paused run waits for; empty if it waits for a message. */
  readonly questions: readonly EventBodyOf<"question.opened">[];
  /** The conversation, the input and earlier messages included: the history for a following run. */
  readonly history: readonly Message[];
  /** Tokens of all steps of the run, those of agents and crews inside it included. */
  readonly usage: Required<Usage>;
  /** US dollars that the run has cost; absent if the price of a model is not known. */
  readonly costUsd?: number;
  /** Warnings of the run, the oldest first. */
  readonly warnings: readonly RunWarning[];
}

/** Output of a run of a crew: any JSON if its agents have no schemas with a type. */
export type ResultOf<Output> = unknown extends Output ? Json : Output;

/** Parts of a result: a `RunView`, or the same from a live run, without reading its log. */
export interface Settled extends RunTotals {
  readonly outcome: Outcome | undefined;
  readonly holder: string;
  readonly text: string;
  readonly content: string;
  readonly output?: Json | undefined;
  readonly error?: Failure | undefined;
  readonly receipt?: Receipt | undefined;
  readonly questions: ReadonlyMap<string, EventBodyOf<"question.opened">>;
  readonly history: readonly Message[];
}

/** The result of a run that is paused or has ended. */
export function toResult(settled: Settled): RunResult {
  const { outcome, holder, text, content, output, error, receipt, questions, history } = settled;
  const { usage, isCostKnown, warnings } = settled;
  if (outcome === undefined) throw new BatonError("internal", "a run that is running has no result");
  const open = outcome === "paused" ? [...questions.values()] : [];
  const said = { outcome, agent: holder, content, raw: text, questions: open, history: forSession(history) };
  const costUsd = isCostKnown ? settled.costUsd : undefined;
  return { ...said, usage, warnings: [...warnings], ...omitUndefined({ costUsd, output, error, receipt }) };
}

/** The result with the output as its schema parses it, if the log can only have it as the model wrote it. */
export async function parseResult(
  { agents }: Crew,
  result: RunResult,
  { isUnparsed }: Pick<RunEnd, "isUnparsed">,
): Promise<RunResult> {
  const { agent, output = null } = result;
  const parsed = isUnparsed ? await agents.get(agent)?.parseOutput?.(output) : undefined;
  return parsed?.ok === true ? Object.assign(result, { output: parsed.value }) : result;
}
