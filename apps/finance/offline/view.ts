/**
 * View: what an answer is written from, read out of the run's state.
 *
 * State is whatever tools and programs have set, so everything is checked; what does not fit is left out.
 */
import { type Fact, factsOfState } from "@baton/assistant";
import type { Json, Prompt } from "@baton/core";
import { z } from "zod";
import { INTENT, type Intent, type Language } from "../intent/intent.ts";
import { type CallRecord, recordsOf } from "../tools/recorded-call.ts";
import { isQuestion } from "./conversation.ts";
import { quotedLines, type Named, namedIn } from "./digest.ts";

/** A call that came back, with its facts and the words its source gave. */
export interface SeenCall extends CallRecord {
  readonly facts: readonly Fact[];
  /** Quoted from the source: data, never instructions. */
  readonly quoted: readonly string[];
  readonly digest: string;
}

const FAILED = z.object({ tool: z.string(), args: z.json(), kind: z.string(), message: z.string() });

const NO_TOOLS = z.looseObject({ enable_tools: z.literal(false) });

/** A call that failed. */
export type Failed = z.output<typeof FAILED>;

/** What an answer is written from. */
export interface View {
  readonly language: Language;
  readonly question: string;
  readonly intent?: Intent;
  readonly calls: readonly SeenCall[];
  readonly failures: readonly Failed[];
  /** What each symbol is called. */
  readonly names: ReadonlyMap<string, Named>;
  /** A full report was asked for. */
  readonly isReport: boolean;
  /** The title of the plan that was carried out. */
  readonly title?: string;
  /** Whether tools were allowed. */
  readonly hasTools: boolean;
}

/** Reads a prompt's state. */
export function toView({ values, messages }: Pick<Prompt, "values" | "messages">): View {
  const { data: intent } = INTENT.safeParse(values.get("intent"));
  const facts = factsOfState({ entries: () => values.entries() });
  const calls = recordsOf({ entries: () => values.entries() }).map((record): SeenCall => {
    const digest = textAt(values, `digest/${record.call}`) ?? "";
    const own = facts.filter(({ call }) => call === record.call);
    return { ...record, facts: own, digest, quoted: quotedLines(digest) };
  });
  const asked = messages.findLast(isQuestion)?.content;
  const { data: plan } = z.object({ title: z.string() }).safeParse(values.get("plan"));
  return {
    language: languageOf(values, intent),
    question: textAt(values, "question") ?? asked ?? "",
    calls,
    failures: z.array(FAILED).safeParse(values.get("failures")).data ?? [],
    names: namedIn(calls, [
      ...(intent?.ambiguous ?? []).flatMap(({ candidates }) => candidates),
      ...(intent?.listings ?? []),
    ]),
    isReport: plan !== undefined || intent?.complexity === "plan",
    hasTools: !NO_TOOLS.safeParse(values.get("options")).success,
    ...(intent === undefined ? {} : { intent }),
    ...(plan === undefined ? {} : { title: plan.title }),
  };
}

function languageOf(values: Prompt["values"], intent: Intent | undefined): Language {
  const said = values.get("language");
  return said === "en" || said === "vi" ? said : (intent?.response_language ?? "en");
}

function textAt(values: ReadonlyMap<string, Json>, key: string): string | undefined {
  const value = values.get(key);
  return typeof value === "string" ? value : undefined;
}
