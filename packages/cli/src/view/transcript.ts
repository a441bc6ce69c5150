/**
 * Transcript: a run as people read it, made of nothing but its events.
 *
 * `add` gives the lines that an event completed, which never change again; `live` what is under way. Members of a
 * group work at the same time: while they do, each has a line of `live`, and when all are done their turns follow one
 * another in the group's order.
 */
import type { RunEvent } from "@baton/core";
import { type FactOf, isMember } from "@baton/core/ports";
import { type Cast, toActorLine, toneOf } from "./agent-view.ts";
import { BLANK, cutLine, toLine, toText, type Line } from "../terminal/styled-line.ts";
import { toOneLine } from "../terminal/printable.ts";
import type { Look } from "./reply-view.ts";
import { RunSummary } from "./run-summary.ts";
import { TurnView, type Frame } from "./turn-view.ts";
import { widthOf, cutStart } from "../terminal/width.ts";

/** A member of a group: its turn, and the lines that wait for the group's end. */
interface Member {
  readonly view: TurnView;
  readonly lines: Line[];
  isDone: boolean;
}

const GROUP_BAR: Line = toLine(["│ ", "dim"]);
const GROUP_BAR_CHARS = 2;
const CHANGED: Line = toLine(["▲ ", "warn"], "the tools are not those it began with");

/** Follows one run, through all its pauses. */
export class Transcript {
  readonly #cast: Cast;
  readonly #look: Look;
  readonly #summary: RunSummary;
  #turn: TurnView | undefined;
  #isGroup = false;
  readonly #members = new Map<string, Member>();
  /** Turns of sub-crews, whose agents have turns of their own. */
  readonly #crews = new Set<string>();

  constructor(cast: Cast, look: Look = "plain") {
    this.#cast = cast;
    this.#look = look;
    this.#summary = new RunSummary(cast);
  }

  /** Takes the next event, and gives the lines it completed. */
  add(event: RunEvent, width: number): readonly Line[] {
    this.#summary.add(event);
    if (isMember(event.lane)) return this.#addToMember(event, width);
    switch (event.type) {
      case "turn.started":
        return this.#startTurn(event, width);
      case "turn.ended":
        return this.#crews.delete(event.turn) ? [] : (this.#turn?.add(event, width) ?? []);
      case "group.started":
        return this.#startGroup(event, width);
      case "group.ended":
        return this.#endGroup(event, width);
      case "handoff.made":
        return this.#close(this.#toTarget(event), width);
      case "question.opened":
        return event.kind === "change" ? [BLANK, CHANGED] : (this.#turn?.add(event, width) ?? []);
      case "run.paused":
        return this.#pause(event, width);
      case "run.ended":
        return this.#end(event, width);
      default:
        return this.#turn?.add(event, width) ?? [];
    }
  }

  /** What is under way; changes with time. */
  live(frame: Frame): readonly Line[] {
    const members = [...this.#members.values()].map((member) => toMemberLine(member, frame));
    return [...(this.#turn?.live(frame) ?? []), ...members];
  }

  #startTurn({ turn, agent, crew, lane }: RunEvent & FactOf<"turn.started">, width: number): readonly Line[] {
    const closed = this.#close([], width);
    if (crew === undefined) {
      this.#turn = new TurnView(this.#cast(agent, lane), this.#look);
      return [...closed, BLANK, cutLine(this.#turn.title, width)];
    }
    this.#crews.add(turn);
    const title = toLine(["◆ ", "strong"], [toOneLine(agent), "strong"], [`  the crew ${toOneLine(crew)}`, "dim"]);
    return [...closed, BLANK, cutLine(title, width)];
  }

  #addToMember(event: RunEvent, width: number): readonly Line[] {
    if (event.type === "turn.started") {
      this.#members.set(event.lane, {
        view: new TurnView(this.#cast(event.agent, event.lane), this.#look),
        lines: [],
        isDone: false,
      });
      return [];
    }
    const member = this.#members.get(event.lane);
    if (member === undefined) return [];
    const inner = width - GROUP_BAR_CHARS;
    member.lines.push(...member.view.add(event, inner));
    member.isDone ||= event.type === "turn.ended";
    if (event.type === "turn.ended" && event.error !== undefined && event.error.code !== "cancelled") {
      member.lines.push(cutLine(toLine(["✗ ", "bad"], toOneLine(event.error.message)), inner));
    }
    return [];
  }

  #startGroup({ group, agents, lane }: RunEvent & FactOf<"group.started">, width: number): readonly Line[] {
    const names = agents.map((agent) => this.#cast(agent, lane).name).join(", ");
    this.#turn = undefined;
    this.#isGroup = true;
    return [
      BLANK,
      cutLine(toLine(["◆ ", "strong"], [toOneLine(group), "strong"], [`  ${names} at once`, "dim"]), width),
    ];
  }

  #endGroup({ winner }: FactOf<"group.ended">, width: number): readonly Line[] {
    const lines = this.#endMembers(width);
    if (winner === undefined) return lines;
    return [...lines, [...GROUP_BAR, ...toLine(["first: ", "dim"], this.#cast(winner).name)]];
  }

  /** After a question the same turns go on, so that they are not closed. */
  #pause(event: FactOf<"run.paused">, width: number): readonly Line[] {
    if (event.by === "signal") return this.#close(toLine(["waits for you", "warn"]), width);
    const inner = width - GROUP_BAR_CHARS;
    return [...this.#members.values()].flatMap(({ view, lines }) =>
      [cutLine(view.title, inner), ...lines.splice(0)].map((line) => [...GROUP_BAR, ...line]),
    );
  }

  /** The turns of all members, each whole. */
  #endMembers(width: number): readonly Line[] {
    const inner = width - GROUP_BAR_CHARS;
    const members = [...this.#members.values()];
    this.#members.clear();
    return members.flatMap(({ view, lines }) =>
      [cutLine(view.title, inner), ...lines, view.close([], inner)].map((line) => [...GROUP_BAR, ...line]),
    );
  }

  #close(to: Line, width: number): readonly Line[] {
    const turn = this.#turn;
    const isGroup = this.#isGroup;
    this.#turn = undefined;
    this.#isGroup = false;
    if (turn !== undefined) return [turn.close(to, width)];
    return isGroup ? [cutLine([...toLine([to.length === 0 ? "╰─" : "╰─ ", "dim"]), ...to], width)] : [];
  }

  #toTarget({ to, via, lane }: RunEvent & FactOf<"handoff.made">): Line {
    const why = {
      signal: "",
      group: "",
      default: "  by default",
      handoff_target: "  handoff target",
      any: "  any other agent",
      failure: "  after a failure",
      output: "",
      return: "  back",
    };
    const actor = this.#cast(to, lane);
    return toLine(["→ ", "dim"], [actor.name, toneOf(actor, "title")], [why[via], "dim"]);
  }

  #end(event: RunEvent & FactOf<"run.ended">, width: number): readonly Line[] {
    const closing = this.#close(event.by === "signal" ? toLine(["→ ", "dim"], "end") : [], width);
    return [...this.#endMembers(width), ...closing, BLANK, ...this.#summary.toLines(event, width)];
  }
}

/** The name, and the end of what the member says or does. */
function toMemberLine({ view, isDone }: Member, frame: Frame): Line {
  const title = toActorLine(view.actor).slice(0, 2);
  const used = GROUP_BAR_CHARS + title.reduce((sum, { text }) => sum + widthOf(text), 0);
  const [, ...last] = view.live({ ...frame, width: Infinity }).at(-1) ?? [];
  const text = isDone ? "✓" : toText(last);
  const rest = toLine([`  ${cutStart(text, Math.max(8, frame.width - used - 2))}`, "dim"]);
  return cutLine([...GROUP_BAR, ...title, ...rest], frame.width);
}
