/**
 * Turn items: what there is to read of a run up to an event, in the order of the log: messages, turns, groups side by
 * side, teams within the crew, handoffs, questions, and what stands between them.
 */
import type { RunEvent } from "@baton/client";
import type { StoryIndex } from "../store/story-index.ts";
import {
  type Aside,
  type GroupLane,
  groupLanesOf,
  type GroupSpan,
  type HandoffMark,
  hasBegun,
  type NoteMark,
  type QuestionSpan,
  type Story,
  type TurnSpan,
} from "../store/story.ts";

/** One thing that is shown. */
export type TurnItem = Readonly<{ seq: number }> &
  (
    | Readonly<{ kind: "user"; text: string; images: number }>
    /** `children`: what agents and crews that are tools did, by the call that runs them. */
    | Readonly<{ kind: "turn"; turn: TurnSpan; signals: readonly string[]; children: TurnChildren }>
    | Readonly<{ kind: "group"; group: GroupSpan; members: readonly TurnMember[] }>
    | Readonly<{ kind: "team"; turn: TurnSpan; items: readonly TurnItem[] }>
    | Readonly<{ kind: "handoff"; handoff: HandoffMark; atOnce: number }>
    | Readonly<{ kind: "question"; question: QuestionSpan }>
    | Readonly<{ kind: "note"; note: NoteMark }>
    | Readonly<{ kind: "aside"; aside: Exclude<Aside, { kind: "user" }> }>
  );

/** Items by the call that they belong to. */
export type TurnChildren = ReadonlyMap<string, readonly TurnItem[]>;

/** One of those who work at the same time. */
export interface TurnMember extends GroupLane {
  readonly items: readonly TurnItem[];
}

/** The items between two messages of the user. */
export interface TurnSegment {
  readonly user: Extract<TurnItem, { kind: "user" }> | undefined;
  readonly items: readonly TurnItem[];
  /** The event that it begins with, and the one that the next begins with. */
  readonly from: number;
  readonly to: number;
}

interface Source {
  readonly story: StoryIndex;
  readonly signals: ReadonlyMap<TurnSpan, readonly string[]>;
  readonly seq: number;
  /** The lanes below each call. */
  readonly below: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Builds the items of a run up to an event. */
export function buildTurnItems(story: StoryIndex, events: readonly RunEvent[], seq = Infinity): readonly TurnItem[] {
  return toLane({ story, signals: toSignals(story, events), seq, below: lanesBelow(story) }, "");
}

function lanesBelow({ turns }: Story): Source["below"] {
  const below = new Map<string, Set<string>>();
  for (const { lane } of turns) {
    const parent = lane.slice(0, Math.max(0, lane.lastIndexOf("/")));
    if (parent !== "") below.set(parent, (below.get(parent) ?? new Set()).add(lane));
  }
  return below;
}

function childrenOf(source: Source, { steps }: TurnSpan): TurnChildren {
  const calls = steps.flatMap((step) => step.calls.map(({ call }) => call)).filter((call) => source.below.has(call));
  return new Map(
    calls.map((call) => [call, [...(source.below.get(call) ?? [])].flatMap((lane) => toLane(source, lane))]),
  );
}

function toLane(source: Source, lane: string): readonly TurnItem[] {
  const { story, signals, seq: end } = source;
  const isHere = (part: Readonly<{ lane: string }>): boolean => part.lane === lane;
  const items: TurnItem[] = [];
  for (const turn of story.turns.filter((one) => isHere(one) && hasBegun(one, end))) {
    const seq = turn.from.seq;
    if (turn.crew === undefined) {
      items.push({ kind: "turn", seq, turn, signals: signals.get(turn) ?? [], children: childrenOf(source, turn) });
    } else items.push({ kind: "team", seq, turn, items: toLane(source, `${turn.turn}/${turn.crew}`) });
  }
  for (const group of story.groups.filter((one) => isHere(one) && hasBegun(one, end))) {
    const lanes = groupLanesOf(group, story.turns);
    const members = lanes.map((one) => ({ ...one, items: toLane(source, one.lane) }));
    items.push({ kind: "group", seq: group.from.seq, group, members });
    const isShown = (at: string) => lanes.some((one) => at === one.lane || at.startsWith(`${one.lane}/`));
    items.push(...questionsBelow(story, `${group.turn}/${group.group}/`, isShown));
  }
  const sizes = new Map(story.groups.map(({ group, agents }) => [group, agents.length]));
  for (const handoff of story.handoffs.filter(isHere)) {
    items.push({ kind: "handoff", seq: handoff.seq, handoff, atOnce: sizes.get(handoff.to) ?? 1 });
  }
  for (const question of story.questions.filter(isHere)) items.push(...toQuestion(question, story));
  for (const aside of story.asides.filter(isHere)) {
    if (aside.kind === "user") items.push({ kind: "user", seq: aside.seq, text: aside.text, images: aside.images });
    else items.push({ kind: "aside", seq: aside.seq, aside });
  }
  if (lane === "") items.push(...notesOf(story, end));
  return items.filter(({ seq }) => seq <= end).toSorted((one, other) => one.seq - other.seq);
}

const MAX_CHARTS = 3;

/** The plan where it was made, as it was at the end, and the first charts. */
function notesOf({ notes }: Story, end: number): readonly TurnItem[] {
  const made = notes.filter(({ seq }) => seq <= end);
  const plans = made.filter(({ kind }) => kind === "plan");
  const [first, last] = [plans[0], plans.at(-1)];
  const charts = made.filter(({ kind }) => kind === "chart").slice(0, MAX_CHARTS);
  return [
    ...(first === undefined || last === undefined ? [] : [{ kind: "note" as const, seq: first.seq, note: last }]),
    ...charts.map((note) => ({ kind: "note" as const, seq: note.seq, note })),
  ];
}

function questionsBelow(story: StoryIndex, prefix: string, isShown: (lane: string) => boolean): readonly TurnItem[] {
  const below = story.questions.filter(({ lane }) => lane.startsWith(prefix) && !isShown(lane));
  return below.map((question) => ({ kind: "question", seq: question.from.seq, question }));
}

/** A question; one about a call stands at the call, one for a message is answered in the composer. */
function toQuestion(question: QuestionSpan, story: StoryIndex): readonly TurnItem[] {
  const { asked, answer, to, from } = question;
  if (asked.call !== undefined && story.call(asked.call) !== undefined) return [];
  if (asked.kind !== "message") return [{ kind: "question", seq: from.seq, question }];
  if (to !== undefined)
    return typeof answer === "string" ? [{ kind: "user", seq: to.seq, text: answer, images: 0 }] : [];
  const isOnly = story.questions.filter((other) => other.to === undefined).length === 1;
  return isOnly ? [] : [{ kind: "question", seq: from.seq, question }];
}

/** The questions that stand at a call: about itself, and those of agents and code that it runs. */
export function questionsOfCall(story: Story, call: string): readonly QuestionSpan[] {
  return story.questions.filter(
    ({ asked, lane }) => asked.call === call || asked.within === call || lane.startsWith(`${call}/`),
  );
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
export function splitAtMessages(items: readonly TurnItem[]): readonly TurnSegment[] {
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
export function turnsOf(items: readonly TurnItem[]): readonly TurnSpan[] {
  return items.flatMap((item) => {
    if (item.kind === "turn") return [item.turn];
    if (item.kind === "team") return turnsOf(item.items);
    if (item.kind === "group") return item.members.flatMap((member) => turnsOf(member.items));
    return [];
  });
}

/** The questions that stand between turns. */
export function questionSpansOf(items: readonly TurnItem[]): readonly QuestionSpan[] {
  return items.flatMap((item) => {
    if (item.kind === "question") return [item.question];
    if (item.kind === "team") return questionSpansOf(item.items);
    if (item.kind === "group") return item.members.flatMap((member) => questionSpansOf(member.items));
    return [];
  });
}

/** The turn whose words are the answer: the last one that writes for the user. */
export function answerOf(items: readonly TurnItem[]): TurnSpan | undefined {
  return items.flatMap((item) => (item.kind === "turn" && item.turn.audience === "user" ? [item.turn] : [])).at(-1);
}

/** Counts the oldest items to leave out so that the rest is at most so many and so long; the last two always stay. */
export function countHidden(
  items: readonly TurnItem[],
  most: Readonly<Record<"items" | "characters", number>>,
): number {
  let shown = 0;
  let characters = 0;
  for (const item of items.toReversed()) {
    characters += turnsOf([item]).reduce((sum, turn) => sum + lengthOf(turn), 0);
    if (shown >= most.items || (shown >= 2 && characters > most.characters)) break;
    shown++;
  }
  return items.length - shown;
}

function lengthOf({ steps }: TurnSpan): number {
  return steps.reduce((sum, { attempts }) => sum + (attempts.at(-1)?.text.text.length ?? 0), 0);
}
