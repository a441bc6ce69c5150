/**
 * Shrink: the smallest conversation that fails as a recorded one did, by delta debugging on its case.
 *
 * User turns, replies, calls and doubles are left out in ever smaller groups, then texts are halved. Everything is scripted,
 * so attempts are free, and the same run gives the same result.
 */
import { BatonError, type Crew, type Json, type RunEvent, scriptModel } from "@baton/core";
import { LOCAL, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { type CodeCheck, scoreRun } from "./checks.ts";
import { playConversation } from "./conversation.ts";
import type { CaseChecks, ToolDouble } from "./eval-case.ts";
import { toScoredRun } from "./scored-run.ts";
import { type ScriptedReply, toAnswers, toDoubles, toScript, toUserTexts } from "./to-case.ts";

/** Options of shrinking. */
export interface ShrinkOptions {
  readonly crew: Crew;
  readonly events: readonly RunEvent[];
  /** Checks of which some fail; without them the outcome and the error's code must stay. */
  readonly checks?: CaseChecks | undefined;
  readonly code?: ReadonlyMap<string, CodeCheck>;
}

/** A case without its checks, in parts that can be left out. */
export interface ShrunkCase {
  readonly messages: readonly string[];
  readonly replies: readonly Readonly<{ agent: string; reply: ScriptedReply }>[];
  readonly doubles: readonly Readonly<{ tool: string; double: ToolDouble }>[];
  readonly answers: readonly (readonly [string, Json])[];
  readonly options?: Json;
  readonly user?: string;
}

/** The result: the case, how it fails, and the attempts that were made. */
export type Shrunk = Readonly<{ small: ShrunkCase; failure: string; attempts: number }>;

const MAX_ATTEMPTS = 500;

/** Makes a failed run small; throws `invalid` if it does not fail, or does not fail again without its model. */
export async function shrinkRun(options: ShrinkOptions): Promise<Shrunk> {
  const { events } = options;
  const failure = await toFailure(events, options);
  if (failure === undefined) throw new BatonError("invalid", "the run does not fail, so there is nothing to shrink");
  const shrinker = new Shrinker(options, failure);
  const whole = toWhole(events);
  if (!(await shrinker.fails(whole)))
    throw new BatonError(
      "invalid",
      `the run failed (${failure}), but does not fail so again with its recorded replies`,
    );
  return { small: await shrinker.shrink(whole), failure, attempts: shrinker.attempts };
}

function toWhole(events: readonly RunEvent[]): ShrunkCase {
  const [first] = events;
  if (first?.type !== "run.started") throw new BatonError("invalid", "the log has no beginning");
  return {
    messages: toUserTexts(events),
    replies: Object.entries(toScript(events)).flatMap(([agent, list]) => list.map((reply) => ({ agent, reply }))),
    doubles: Object.entries(toDoubles(events)).flatMap(([tool, list]) => list.map((double) => ({ tool, double }))),
    answers: Object.entries(toAnswers(events)),
    ...(first.options !== undefined && { options: first.options }),
    ...(first.user !== undefined && first.user !== LOCAL.user && { user: first.user }),
  };
}

/** The failure of a log: the checks that do not hold, or the outcome and its error's code; undefined if it does not. */
async function toFailure(events: readonly RunEvent[], options: ShrinkOptions): Promise<string | undefined> {
  const { checks, code = new Map() } = options;
  if (checks !== undefined) {
    const failed = (await scoreRun(toScoredRun(events), checks, { code })).filter(({ pass }) => !pass);
    return failed.map(({ check }) => check).join(", ") || undefined;
  }
  const last = events.at(-1);
  if (last?.type !== "run.ended" || (last.outcome !== "failed" && last.outcome !== "limit")) return undefined;
  return `${last.outcome}, ${last.error?.limit?.name ?? last.error?.code ?? "no error"}`;
}

type Part = "messages" | "replies" | "doubles" | "answers";

class Shrinker {
  readonly #options: ShrinkOptions;
  readonly #failure: string;
  attempts = 0;

  constructor(options: ShrinkOptions, failure: string) {
    this.#options = options;
    this.#failure = failure;
  }

  async shrink(whole: ShrunkCase): Promise<ShrunkCase> {
    let small = whole;
    for (let before: ShrunkCase | undefined; JSON.stringify(before) !== JSON.stringify(small);) {
      before = small;
      small = await this.#leaveOut(small, "messages");
      small = await this.#leaveOut(small, "replies");
      small = await this.#leaveOutCalls(small);
      small = await this.#leaveOut(small, "doubles");
      small = await this.#leaveOut(small, "answers");
    }
    return this.#halveTexts(small);
  }

  /** Whether a case fails as the run did; a case that lacks a reply or a double fails otherwise. */
  async fails({ messages, replies, doubles, answers, options, user }: ShrunkCase): Promise<boolean> {
    if (messages.length === 0 || this.attempts >= MAX_ATTEMPTS) return false;
    this.attempts += 1;
    await using store = await Store.open({ database: openMemory() });
    const model = scriptModel(groupBy(replies, ({ agent, reply }) => [agent, reply]));
    let said = 0;
    const { events, missing } = await playConversation({
      crew: this.#options.crew,
      store,
      options,
      user,
      model: () => model,
      tools: groupBy(doubles, ({ tool, double }) => [tool, double]),
      answers: Object.fromEntries(answers),
      live: "none",
      next: () => messages[said++],
      session: messages.length > 1 ? "shrink" : undefined,
    });
    if (missing.length > 0 || events.some(lacksReply)) return false;
    return (await toFailure(events, this.#options)) === this.#failure;
  }

  /** Leaves out groups of items, half of them first, one by one last. */
  async #leaveOut(whole: ShrunkCase, part: Part): Promise<ShrunkCase> {
    let small = whole;
    for (let size = Math.ceil(small[part].length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < small[part].length;) {
        const fewer: ShrunkCase = {
          ...small,
          [part]: small[part].filter((_, index) => index < at || index >= at + size),
        };
        if (await this.fails(fewer)) small = fewer;
        else at += size;
      }
    }
    return small;
  }

  /** Leaves out single calls of replies that have several. */
  async #leaveOutCalls(whole: ShrunkCase): Promise<ShrunkCase> {
    let small = whole;
    for (const [at, { reply }] of whole.replies.entries()) {
      for (const call of reply.call ?? []) {
        const replies = small.replies.map((one, index) =>
          index === at ? { ...one, reply: without(one.reply, call) } : one,
        );
        const fewer = { ...small, replies };
        if (await this.fails(fewer)) small = fewer;
      }
    }
    return small;
  }

  async #halveTexts(whole: ShrunkCase): Promise<ShrunkCase> {
    let small = whole;
    for (const at of whole.messages.keys())
      small = await this.#halve(small, {
        text: (one) => one.messages[at],
        put: (one, text) => ({ ...one, messages: one.messages.with(at, text) }),
      });
    for (const [at, { agent }] of whole.replies.entries())
      small = await this.#halve(small, {
        text: (one) => one.replies[at]?.reply.say,
        put: (one, say) => ({
          ...one,
          replies: one.replies.with(at, { agent, reply: { ...one.replies[at]?.reply, say } }),
        }),
      });
    for (const [at, { tool, double }] of whole.doubles.entries())
      small = await this.#halve(small, {
        text: (one) => textOf(one.doubles[at]?.double.output),
        put: (one, output) => ({ ...one, doubles: one.doubles.with(at, { tool, double: { ...double, output } }) }),
      });
    return small;
  }

  /** Keeps one half of a text as long as that fails as well. */
  async #halve(whole: ShrunkCase, { text, put }: TextPlace): Promise<ShrunkCase> {
    let small = whole;
    for (let own = text(small); own !== undefined && own.length > 1;) {
      const half = Math.ceil(own.length / 2);
      const tries = [own.slice(0, half), own.slice(half)].map((part) => put(small, part.toWellFormed()));
      let next: ShrunkCase | undefined;
      for (const one of tries) if (next === undefined && (await this.fails(one))) next = one;
      if (next === undefined) return small;
      small = next;
      own = text(small);
    }
    return small;
  }
}

type TextPlace = Readonly<{
  text: (one: ShrunkCase) => string | undefined;
  put: (one: ShrunkCase, text: string) => ShrunkCase;
}>;

const textOf = (value: Json | undefined): string | undefined => (typeof value === "string" ? value : undefined);

function without({ call = [], ...reply }: ScriptedReply, left: unknown): ScriptedReply {
  const rest = call.filter((one) => one !== left);
  return rest.length === 0 ? reply : { ...reply, call: rest };
}

const lacksReply = (event: RunEvent): boolean =>
  event.type === "step.ended" && event.error?.message.startsWith("the script has no reply") === true;

/** Lists by name, in order. */
export function groupBy<T, V>(
  items: readonly T[],
  toEntry: (item: T) => readonly [string, V],
): Record<string, readonly V[]> {
  const groups = Map.groupBy(items.map(toEntry), ([name]) => name);
  return Object.fromEntries(Array.from(groups, ([name, own]) => [name, own.map(([, value]) => value)]));
}
