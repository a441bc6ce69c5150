/**
 * Lane views: the turns of members, items and children, each in its lane, until they are printed together.
 *
 * Lanes run in parallel, so their lines are kept: those of a group until the group ends, those of an agent or crew that
 * is called as a tool until the call ends.
 */
import type { RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { type AgentViews, toAgentLine } from "./agent-view.ts";
import { cutLine, styleLine, plainText, type Line } from "../terminal/styled-line.ts";
import { toOneLine } from "../terminal/printable.ts";
import type { TextFormat } from "../terminal/screen.ts";
import { TurnView, type TurnFrame } from "./turn-view.ts";
import { displayWidth, cutStart } from "../terminal/width.ts";

/** A lane: its turn and its lines, behind the earlier turns of a crew. */
interface LaneView {
  readonly earlier: readonly Line[];
  readonly view: TurnView;
  /** The number of an item of a map. */
  readonly index: string;
  readonly lines: Line[];
  isDone: boolean;
  isFailed: boolean;
}

const BAR: Line = styleLine(["│ ", "dim"]);
const BAR_CHARS = 2;

/** The most items of a map that are printed, beside those that failed. */
const MAX_ITEMS = 10;

/** The lanes of a run that have not been printed. */
export class LaneViews {
  readonly #agentViews: AgentViews;
  readonly #format: TextFormat;
  readonly #lanes = new Map<string, LaneView>();
  /** Beginnings of the lanes of maps. */
  readonly #maps = new Set<string>();

  constructor(agentViews: AgentViews, format: TextFormat) {
    this.#agentViews = agentViews;
    this.#format = format;
  }

  /** Adds an event of a lane. */
  add(event: RunEvent, width: number): void {
    if (event.type === "group.started") this.startGroup(event);
    const inner = width - BAR_CHARS;
    if (event.type === "turn.started") return this.#start(event, inner);
    const lane = this.#lanes.get(event.lane);
    if (lane === undefined) return;
    if (event.type === "call.ended") lane.lines.push(...this.takeBelow(event.call, inner));
    if (event.type === "group.ended") lane.lines.push(...this.takeBelow(`${event.turn}/${event.group}`, inner));
    lane.lines.push(...lane.view.add(event, inner));
    if (event.type !== "turn.ended") return;
    lane.isDone = true;
    lane.isFailed = event.error !== undefined;
    if (event.error !== undefined && event.error.code !== "cancelled")
      lane.lines.push(cutLine(styleLine(["✗ ", "bad"], toOneLine(event.error.message)), inner));
  }

  /** Remembers which lanes are items of a map. */
  startGroup({ turn, group, items }: EventBodyOf<"group.started">): void {
    if (items !== undefined) this.#maps.add(`${turn}/${group}/`);
  }

  /** The lines of the lanes below a call or a group, which are printed now. */
  takeBelow(key: string, width: number): readonly Line[] {
    const below = [...this.#lanes].filter(([lane]) => lane.startsWith(`${key}/`));
    for (const [lane] of below) this.#lanes.delete(lane);
    return this.#toLines(
      below.map(([, lane]) => lane),
      width,
    );
  }

  /** The lines of all lanes. */
  takeAll(width: number): readonly Line[] {
    const all = [...this.#lanes.values()];
    this.#lanes.clear();
    return this.#toLines(all, width);
  }

  /** The lines so far of all lanes, which continue after a pause. */
  takeOpen(width: number): readonly Line[] {
    const inner = width - BAR_CHARS;
    return [...this.#lanes.values()].flatMap((lane) =>
      [cutLine(toTitle(lane), inner), ...lane.lines.splice(0), ...lane.view.waiting(inner)].map((line) => [
        ...BAR,
        ...line,
      ]),
    );
  }

  /** One line for each lane that runs; members of a group that are done are there, too. */
  live(frame: TurnFrame): readonly Line[] {
    const all = [...this.#lanes.values()];
    const items = all.filter(({ index }) => index !== "");
    const done = items.filter(({ isDone }) => isDone).length;
    const count = styleLine([`${done} done`, "dim"]);
    const shown = all.filter(({ index, isDone }) => index === "" || !isDone).map((lane) => toLiveLine(lane, frame));
    return items.length === 0 ? shown : [...shown, cutLine([...BAR, ...count], frame.width)];
  }

  #start({ lane, agent }: RunEvent & EventBodyOf<"turn.started">, width: number): void {
    const before = this.#lanes.get(lane);
    const at = lane.lastIndexOf("/") + 1;
    this.#lanes.set(lane, {
      earlier: before === undefined ? [] : toBlock(before, width),
      view: new TurnView(this.#agentViews(agent, lane), this.#format),
      index: this.#maps.has(lane.slice(0, at)) ? lane.slice(at) : "",
      lines: [],
      isDone: false,
      isFailed: false,
    });
  }

  /** All turns, one after the other; of the items of a long map the first, and those that failed. */
  #toLines(lanes: readonly LaneView[], width: number): readonly Line[] {
    const inner = width - BAR_CHARS;
    const shown = lanes.filter(({ index, isFailed }) => index === "" || isFailed || Number(index) <= MAX_ITEMS);
    const hidden = lanes.length - shown.length;
    const more = hidden === 0 ? [] : [styleLine([`… ${hidden} more answered`, "dim"])];
    return [...shown.flatMap((lane) => toBlock(lane, inner)), ...more].map((line) => [...BAR, ...line]);
  }
}

function toTitle({ view, index }: LaneView): Line {
  return index === "" ? view.title : [...view.title, ...styleLine([` ${index}`, "strong"])];
}

function toBlock(lane: LaneView, width: number): readonly Line[] {
  const { earlier, lines, view } = lane;
  return [...earlier, cutLine(toTitle(lane), width), ...lines, view.close([], width)];
}

/** The agent's name, and the end of its current text or call. */
function toLiveLine({ view, index, isDone }: LaneView, frame: TurnFrame): Line {
  const item = index === "" ? [] : styleLine([` ${index}`, "strong"]);
  const title = [...toAgentLine(view.agent).slice(0, 2), ...item];
  const used = BAR_CHARS + title.reduce((sum, { text }) => sum + displayWidth(text), 0);
  const [, ...last] = view.live({ ...frame, width: Infinity }).at(-1) ?? [];
  const text = isDone ? "✓" : plainText(last);
  const rest = styleLine([`  ${cutStart(text, Math.max(8, frame.width - used - 2))}`, "dim"]);
  return cutLine([...BAR, ...title, ...rest], frame.width);
}
