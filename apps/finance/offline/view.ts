/**
 * View: what an answer is written from, read out of the run's state.
 *
 * State is whatever tools and programs have set, so everything is checked; what does not fit is left out.
 */
import { type Fact, factsOfState } from "@baton/assistant";
import type { Json, Prompt } from "@baton/core";
import { lookInto } from "@baton/core/util";
import { type FailedCall, runState } from "../crew/run-state.ts";
import type { Intent, QuestionLanguage } from "../intent/intent.ts";
import { type CallRecord, recordsOf } from "../tools/frame/recorded-call.ts";
import { isQuestion } from "./conversation.ts";
import { optionsOf } from "../intent/situation.ts";
import { type KeptResult, keptOf } from "./results.ts";
import { quotedLines, type NamedFigure, namedIn, unescape } from "./digest.ts";

/** A call that came back, with its facts and the words its source gave. */
export interface SeenCall extends CallRecord {
  readonly facts: readonly Fact[];
  /** Quoted from the source: data, never instructions. */
  readonly quoted: readonly string[];
  readonly digest: string;
  /** The whole result, if the answer needs its words. */
  readonly output?: Json;
}

/** What an answer is written from. */
export interface View {
  readonly language: QuestionLanguage;
  readonly question: string;
  readonly intent?: Intent;
  readonly calls: readonly SeenCall[];
  readonly failures: readonly FailedCall[];
  /** What each symbol is called. */
  readonly names: ReadonlyMap<string, NamedFigure>;
  /** A full report was asked for. */
  readonly isReport: boolean;
  /** The title of the plan that was carried out. */
  readonly title?: string;
  /** Whether tools were allowed. */
  readonly hasTools: boolean;
  /** What is remembered of the user, a line each; and of the conversation. */
  readonly profile: readonly string[];
  readonly summary: readonly string[];
  /** What an alert that fired says, and how many times of a schedule were missed. */
  readonly fired?: string;
  readonly missed: number;
}

/** Reads a prompt's state. */
export function toView({ values, messages }: Pick<Prompt, "values" | "messages">): View {
  const state = { values };
  const intent = runState.get(state, "intent");
  const facts = factsOfState({ entries: () => values.entries() });
  const calls = toCalls(values, facts);
  const options = optionsOf({ options: runState.get(state, "options") });
  const asked = messages.findLast(isQuestion)?.content;
  const plan = runState.get(state, "plan");
  return {
    language: runState.get(state, "language") ?? intent?.response_language ?? "en",
    question: runState.get(state, "question") || (asked ?? ""),
    calls,
    failures: runState.get(state, "failures"),
    names: namedIn(calls, [
      ...(intent?.ambiguous ?? []).flatMap(({ candidates }) => candidates),
      ...(intent?.listings ?? []),
    ]),
    isReport: plan !== undefined || intent?.complexity === "plan",
    hasTools: options.enable_tools !== false,
    profile: linesIn(runState.get(state, "profile")),
    summary: linesIn(runState.get(state, "summary")),
    missed: options.schedule?.missed ?? 0,
    ...(options.alert === undefined ? {} : { fired: options.alert.text }),
    ...(intent === undefined ? {} : { intent }),
    ...(plan === undefined ? {} : { title: plan.title }),
  };
}

function toCalls(values: Prompt["values"], facts: readonly Fact[]): readonly SeenCall[] {
  const kept = new Map(keptOf(values).map((result) => [result.call, result]));
  const recorded = recordsOf({ entries: () => values.entries() }).map((record): SeenCall => {
    const digest = textAt(values, `digest/${record.call}`) ?? "";
    const own = facts.filter(({ call }) => call === record.call);
    const output = kept.get(record.call)?.output;
    return { ...record, facts: own, digest, quoted: quotedLines(digest), ...(output === undefined ? {} : { output }) };
  });
  const known = new Set(recorded.map(({ call }) => call));
  const others = [...kept.values()].filter(({ call }) => !known.has(call));
  return [...recorded, ...others.map(toUnrecorded)];
}

/** A call of a tool that leaves no record: what it gave is all that is known. */
function toUnrecorded({ call, tool, args, output }: KeptResult): SeenCall {
  const status = lookInto(output, "no_data") === true ? "no_data" : "ok";
  return { call, tool, args, status, symbols: [], facts: [], digest: "", quoted: [], output };
}

const MAX_LINES = 40;

/** The lines of a block, as they were before they were put between tags. */
function linesIn(block: string): readonly string[] {
  const lines = unescape(block)
    .split("\n")
    .map((line) => line.trim());
  return lines.filter((line) => line !== "" && !/^<\/?[A-Z_]+>$/.test(line)).slice(0, MAX_LINES);
}

function textAt(values: ReadonlyMap<string, Json>, key: string): string | undefined {
  const value = values.get(key);
  return typeof value === "string" ? value : undefined;
}
