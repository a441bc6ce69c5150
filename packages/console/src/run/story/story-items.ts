/**
 * Story items: what had happened up to an event, in the order in which it is read: turns, groups, handoffs, questions
 * and what stands between them.
 */
import {
  type Aside,
  type GroupLane,
  groupLanesOf,
  type GroupSpan,
  type HandoffMark,
  hasBegun,
  type QuestionSpan,
  type Story,
  type TurnSpan,
} from "../../store/story.ts";

/** One member of a group or item of a map, and what it did. */
export interface GroupColumn extends GroupLane {
  readonly turns: readonly TurnSpan[];
}

/** Something to read. */
export type StoryItem = Readonly<{ seq: number; key: string }> &
  (
    | Readonly<{ kind: "turn"; turn: TurnSpan; depth: number }>
    | Readonly<{ kind: "group"; group: GroupSpan; columns: readonly GroupColumn[] }>
    | Readonly<{ kind: "handoff"; handoff: HandoffMark; atOnce: number }>
    | Readonly<{ kind: "question"; question: QuestionSpan }>
    | Readonly<{ kind: "aside"; aside: Aside }>
  );

/** Builds the items that had happened at an event. */
export function buildStoryItems(story: Story, seq: number): readonly StoryItem[] {
  const groups = story.groups.filter((group) => hasBegun(group, seq));
  const isMember = toIsMember(story.groups);
  const items: StoryItem[] = [];
  const columns = new Map<string, TurnSpan[]>();
  for (const turn of story.turns) {
    if (!hasBegun(turn, seq) || turn.crew !== undefined) continue;
    const member = isMember(turn.lane);
    if (member === undefined) {
      items.push({ kind: "turn", key: `turn ${turn.turn}`, seq: turn.from.seq, turn, depth: depthOf(turn.lane) });
    } else columns.set(member, [...(columns.get(member) ?? []), turn]);
  }
  for (const group of groups) {
    const lanes = groupLanesOf(group, story.turns).map((one) => ({ ...one, turns: columns.get(one.lane) ?? [] }));
    items.push({ kind: "group", key: `group ${group.turn}`, seq: group.from.seq, group, columns: lanes });
  }
  const sizes = new Map(story.groups.map(({ group, agents }) => [group, agents.length]));
  for (const handoff of story.handoffs) {
    if (handoff.seq > seq || isMember(handoff.lane) !== undefined) continue;
    const atOnce = sizes.get(handoff.to) ?? 1;
    items.push({ kind: "handoff", key: `handoff ${handoff.seq}`, seq: handoff.seq, handoff, atOnce });
  }
  for (const question of story.questions) {
    // The line of the call says that it waits for approval, and how that ended.
    const isOfCall = question.asked.kind === "approval" && question.asked.call !== undefined;
    if (!hasBegun(question, seq) || isOfCall) continue;
    items.push({ kind: "question", key: `question ${question.from.seq}`, seq: question.from.seq, question });
  }
  for (const aside of story.asides) {
    if (aside.seq <= seq) items.push({ kind: "aside", key: `aside ${aside.seq}`, seq: aside.seq, aside });
  }
  return items.toSorted((a, b) => a.seq - b.seq);
}

/** Counts the oldest items to leave out so that the rest is at most so many and so long; the last two always stay. */
export function countHidden(
  items: readonly StoryItem[],
  most: Readonly<Record<"items" | "characters", number>>,
): number {
  let shown = 0;
  let characters = 0;
  for (const item of items.toReversed()) {
    characters += lengthOf(item);
    if (shown >= most.items || (shown >= 2 && characters > most.characters)) break;
    shown++;
  }
  return items.length - shown;
}

function lengthOf(item: StoryItem): number {
  if (item.kind === "turn") return lengthOfTurn(item.turn);
  if (item.kind !== "group") return 0;
  return item.columns.flatMap(({ turns }) => turns).reduce((sum, turn) => sum + lengthOfTurn(turn), 0);
}

function lengthOfTurn({ steps }: TurnSpan): number {
  return steps.reduce((sum, { attempts }) => sum + (attempts.at(-1)?.text.text.length ?? 0), 0);
}

function laneOf({ turn, group }: GroupSpan): string {
  return `${turn}/${group}`;
}

/** Says which member's lane a lane is in: of the outermost group around it. */
function toIsMember(groups: readonly GroupSpan[]): (lane: string) => string | undefined {
  const members = new Set(groups.flatMap(toMemberLanes));
  return (lane) => {
    if (lane === "" || members.size === 0) return undefined;
    let end = lane.indexOf("/");
    while (end !== -1) {
      const part = lane.slice(0, end);
      if (members.has(part)) return part;
      end = lane.indexOf("/", end + 1);
    }
    return members.has(lane) ? lane : undefined;
  };
}

/** The lanes of all members and items, those that are not shown included. */
function toMemberLanes(group: GroupSpan): readonly string[] {
  const { agents, items } = group;
  const names = items === undefined ? agents : Array.from({ length: items }, (_, at) => `${at + 1}`);
  return names.map((name) => `${laneOf(group)}/${name}`);
}

/** Counts the sub-crews around a lane. */
function depthOf(lane: string): number {
  return lane === "" ? 0 : Math.ceil(lane.split("/").length / 2);
}
