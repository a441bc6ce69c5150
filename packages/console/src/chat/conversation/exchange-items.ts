/**
 * Exchange items: what a conversation shows of a run, in the order of the log: messages, turns, groups side by side,
 * teams within the crew, handoffs and questions.
 */
import type { RunEvent } from "@baton/client";
import {
  groupLanesOf,
  type GroupSpan,
  type HandoffMark,
  type QuestionSpan,
  type Story,
  type TurnSpan,
} from "../../store/story.ts";

/** One thing that is shown. */
export type ExchangeItem = Readonly<{ seq: number }> &
  (
    | Readonly<{ kind: "user"; text: string; images: number }>
    | Readonly<{ kind: "turn"; turn: TurnSpan; signals: readonly string[] }>
    | Readonly<{ kind: "group"; group: GroupSpan; members: readonly ExchangeMember[] }>
    | Readonly<{ kind: "team"; turn: TurnSpan; items: readonly ExchangeItem[] }>
    | Readonly<{ kind: "handoff"; handoff: HandoffMark }>
    | Readonly<{ kind: "question"; question: QuestionSpan }>
    | Readonly<{ kind: "warning"; text: string; agent: string }>
  );

/** One of those who work at the same time. */
export interface ExchangeMember {
  readonly agent: string;
  readonly items: readonly ExchangeItem[];
}

/** The items between two messages of the user. */
export interface ExchangeSegment {
  readonly user: Extract<ExchangeItem, { kind: "user" }> | undefined;
  readonly items: readonly ExchangeItem[];
  /** The event that it begins with, and the one that the next begins with. */
  readonly from: number;
  readonly to: number;
}

/** Builds the items that a conversation shows of a run. */
export function buildExchangeItems(story: Story, events: readonly RunEvent[]): readonly ExchangeItem[] {
  return toLane({ story, signals: toSignals(story, events) }, "");
}

interface Source {
  readonly story: Story;
  readonly signals: ReadonlyMap<TurnSpan, readonly string[]>;
}

function toLane(source: Source, lane: string): readonly ExchangeItem[] {
  const { story, signals } = source;
  const isHere = (part: Readonly<{ lane: string }>): boolean => part.lane === lane;
  const items: ExchangeItem[] = [];
  for (const turn of story.turns.filter(isHere)) {
    const seq = turn.from.seq;
    if (turn.crew === undefined) items.push({ kind: "turn", seq, turn, signals: signals.get(turn) ?? [] });
    else items.push({ kind: "team", seq, turn, items: toLane(source, `${turn.turn}/${turn.crew}`) });
  }
  for (const group of story.groups.filter(isHere)) {
    const lanes = groupLanesOf(group, story.turns);
    const members = lanes.map(({ agent, lane: own }) => ({ agent, items: toLane(source, own) }));
    items.push({ kind: "group", seq: group.from.seq, group, members });
    const isShown = (at: string) => lanes.some((one) => at === one.lane || at.startsWith(`${one.lane}/`));
    items.push(...questionsBelow(story, `${group.turn}/${group.group}/`, isShown));
  }
  for (const handoff of story.handoffs.filter(isHere)) items.push({ kind: "handoff", seq: handoff.seq, handoff });
  for (const question of story.questions.filter(isHere)) items.push(...toQuestion(question, story));
  // Agents and crews that are tools are not shown here, but what they ask is.
  const calls = story.turns.filter(isHere).flatMap(({ steps }) => steps.flatMap((step) => step.calls));
  for (const { call } of calls) items.push(...questionsBelow(story, `${call}/`));
  for (const aside of story.asides.filter(isHere)) {
    if (aside.kind === "user") items.push({ kind: "user", seq: aside.seq, text: aside.text, images: aside.images });
    if (aside.kind === "warning") {
      items.push({ kind: "warning", seq: aside.seq, text: aside.text, agent: aside.agent });
    }
  }
  return items.toSorted((one, other) => one.seq - other.seq);
}

function questionsBelow(story: Story, prefix: string, isShown = (_lane: string): boolean => false): ExchangeItem[] {
  const below = story.questions.filter(({ lane }) => lane.startsWith(prefix) && !isShown(lane));
  return below.flatMap((question) => toQuestion(question, story));
}

/** A question; one for a message is answered in the composer, and its answer is a message. */
function toQuestion(question: QuestionSpan, story: Story): readonly ExchangeItem[] {
  const { asked, answer, to, from } = question;
  if (asked.kind !== "message") return [{ kind: "question", seq: from.seq, question }];
  if (to !== undefined)
    return typeof answer === "string" ? [{ kind: "user", seq: to.seq, text: answer, images: 0 }] : [];
  const isOnly = story.questions.filter((other) => other.to === undefined).length === 1;
  return isOnly ? [] : [{ kind: "question", seq: from.seq, question }];
}

/** The signals that a turn gave; those of structured output are not text. */
function toSignals(story: Story, events: readonly RunEvent[]): ReadonlyMap<TurnSpan, readonly string[]> {
  const signals = new Map<TurnSpan, string[]>();
  for (const event of events) {
    if (event.type !== "signal.matched" || event.match === "output") continue;
    const { lane, agent, seq, signal } = event;
    const turn = story.turns.findLast((one) => one.lane === lane && one.agent === agent && one.from.seq < seq);
    if (turn === undefined) continue;
    const known = signals.get(turn) ?? [];
    if (!known.includes(signal)) signals.set(turn, [...known, signal]);
  }
  return signals;
}

/** The items between the user's messages. */
export function splitAtMessages(items: readonly ExchangeItem[]): readonly ExchangeSegment[] {
  const starts = items.flatMap((item, index) => (item.kind === "user" || index === 0 ? [index] : []));
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? items.length;
    const first = items[start];
    const user = first?.kind === "user" ? first : undefined;
    return {
      user,
      items: items.slice(user === undefined ? start : start + 1, end),
      from: first?.seq ?? 0,
      to: items[end]?.seq ?? Infinity,
    };
  });
}

/** All turns of some items, those of groups and teams included. */
export function turnsOf(items: readonly ExchangeItem[]): readonly TurnSpan[] {
  return items.flatMap((item) => {
    if (item.kind === "turn") return [item.turn];
    if (item.kind === "team") return turnsOf(item.items);
    if (item.kind === "group") return item.members.flatMap((member) => turnsOf(member.items));
    return [];
  });
}

/** All questions of some items. */
export function questionSpansOf(items: readonly ExchangeItem[]): readonly QuestionSpan[] {
  return items.flatMap((item) => {
    if (item.kind === "question") return [item.question];
    if (item.kind === "team") return questionSpansOf(item.items);
    if (item.kind === "group") return item.members.flatMap((member) => questionSpansOf(member.items));
    return [];
  });
}

/** The turn whose words are the answer: the last one that writes for the user. */
export function answerOf(items: readonly ExchangeItem[]): TurnSpan | undefined {
  return items.flatMap((item) => (item.kind === "turn" && item.turn.audience === "user" ? [item.turn] : [])).at(-1);
}
