/**
 * Transcript: turns the events of a run into lines.
 *
 * `add` gives the lines that an event completed; they do not change again. `live` gives the lines that are still
 * changing. The members of a group run in parallel: each has one live line, and their turns are printed in the group's
 * order when all have ended.
 */
import type { RunEvent } from "@baton/core";
import { isMember } from "@baton/core/engine";
import type { EventBodyOf } from "@baton/core/ports";
import { type AgentViews, toAgentLine, toneOf } from "./agent-view.ts";
import { BLANK, cutLine, styleLine, plainText, type Line } from "../terminal/styled-line.ts";
import { toOneLine } from "../terminal/printable.ts";
import type { TextFormat } from "../terminal/screen.ts";
import { RunSummary } from "./run-summary.ts";
import { TurnView, type TurnFrame } from "./turn-view.ts";
import { displayWidth, cutStart } from "../terminal/width.ts";

/** A member of a group: its turn, and its lines, which are printed at the group's end. */
interface Member {
  readonly view: TurnView;
  readonly lines: Line[];
  isDone: boolean;
}

const GROUP_BAR: Line = styleLine(["│ ", "dim"]);
const GROUP_BAR_CHARS = 2;

/** The transcript of one run, across its pauses. */
export class Transcript {
  readonly #agentViews: AgentViews;
  readonly #format: TextFormat;
  readonly #summary: RunSummary;
  #turn: TurnView | undefined;
  #isGroup = false;
  readonly #members = new Map<string, Member>();
  /** Turns of sub-crews, which have no lines: their agents have turns too. */
  readonly #crews = new Set<string>();

  constructor(agentViews: AgentViews, format: TextFormat = "plain") {
    this.#agentViews = agentViews;
    this.#format = format;
    this.#summary = new RunSummary(agentViews);
  }

  /** Adds the next event, and gives the lines it completed. */
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
      case "run.paused":
        return this.#pause(event, width);
      case "run.ended":
        return this.#end(event, width);
      default:
        return this.#turn?.add(event, width) ?? [];
    }
  }

  /** The lines that are still changing. */
  live(frame: TurnFrame): readonly Line[] {
    const members = [...this.#members.values()].map((member) => toMemberLine(member, frame));
    return [...(this.#turn?.live(frame) ?? []), ...members];
  }

  #startTurn({ turn, agent, crew, lane }: RunEvent & EventBodyOf<"turn.started">, width: number): readonly Line[] {
    const closed = this.#close([], width);
    if (crew === undefined) {
      this.#turn = new TurnView(this.#agentViews(agent, lane), this.#format);
      return [...closed, BLANK, cutLine(this.#turn.title, width)];
    }
    this.#crews.add(turn);
    const title = styleLine(["◆ ", "strong"], [toOneLine(agent), "strong"], [`  the crew ${toOneLine(crew)}`, "dim"]);
    return [...closed, BLANK, cutLine(title, width)];
  }

  #addToMember(event: RunEvent, width: number): readonly Line[] {
    if (event.type === "turn.started") {
      this.#members.set(event.lane, {
        view: new TurnView(this.#agentViews(event.agent, event.lane), this.#format),
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
      member.lines.push(cutLine(styleLine(["✗ ", "bad"], toOneLine(event.error.message)), inner));
    }
    return [];
  }

  #startGroup({ group, agents, lane }: RunEvent & EventBodyOf<"group.started">, width: number): readonly Line[] {
    const names = agents.map((agent) => this.#agentViews(agent, lane).name).join(", ");
    this.#turn = undefined;
    this.#isGroup = true;
    return [
      BLANK,
      cutLine(styleLine(["◆ ", "strong"], [toOneLine(group), "strong"], [`  ${names} in parallel`, "dim"]), width),
    ];
  }

  #endGroup({ winner }: EventBodyOf<"group.ended">, width: number): readonly Line[] {
    const lines = this.#endMembers(width);
    if (winner === undefined) return lines;
    const name = typeof winner === "number" ? `item ${winner}` : this.#agentViews(winner).name;
    return [...lines, [...GROUP_BAR, ...styleLine(["first: ", "dim"], name)]];
  }

  /** A question does not close the turns: they continue after the answer. */
  #pause(event: EventBodyOf<"run.paused">, width: number): readonly Line[] {
    if (event.by === "signal") return this.#close(styleLine(["waits for you", "warn"]), width);
    const inner = width - GROUP_BAR_CHARS;
    return [...this.#members.values()].flatMap(({ view, lines }) =>
      [cutLine(view.title, inner), ...lines.splice(0)].map((line) => [...GROUP_BAR, ...line]),
    );
  }

  /** The turns of all members, one after the other. */
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
    return isGroup ? [cutLine([...styleLine([to.length === 0 ? "╰─" : "╰─ ", "dim"]), ...to], width)] : [];
  }

  #toTarget({ to, via, lane }: RunEvent & EventBodyOf<"handoff.made">): Line {
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
    const agent = this.#agentViews(to, lane);
    return styleLine(["→ ", "dim"], [agent.name, toneOf(agent, "title")], [why[via], "dim"]);
  }

  #end(event: RunEvent & EventBodyOf<"run.ended">, width: number): readonly Line[] {
    const closing = this.#close(event.by === "signal" ? styleLine(["→ ", "dim"], "end") : [], width);
    return [...this.#endMembers(width), ...closing, BLANK, ...this.#summary.toLines(event, width)];
  }
}

/** A member's name, and the end of its current text or call. */
function toMemberLine({ view, isDone }: Member, frame: TurnFrame): Line {
  const title = toAgentLine(view.agent).slice(0, 2);
  const used = GROUP_BAR_CHARS + title.reduce((sum, { text }) => sum + displayWidth(text), 0);
  const [, ...last] = view.live({ ...frame, width: Infinity }).at(-1) ?? [];
  const text = isDone ? "✓" : plainText(last);
  const rest = styleLine([`  ${cutStart(text, Math.max(8, frame.width - used - 2))}`, "dim"]);
  return cutLine([...GROUP_BAR, ...title, ...rest], frame.width);
}
