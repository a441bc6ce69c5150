/**
 * Transcript: turns the events of a run into lines.
 *
 * `add` gives the lines that an event completed; they do not change again. `live` gives the lines that are still
 * changing. Members of a group and agents that are tools run in parallel: each has one live line, and their turns are
 * printed when the group or the call has ended.
 */
import type { RunEvent } from "@baton/core";
import { isMember } from "@baton/core/engine";
import type { EventBodyOf } from "@baton/core/ports";
import { type AgentViews, toneOf } from "./agent-view.ts";
import { BLANK, cutLine, styleLine, type Line } from "../terminal/styled-line.ts";
import { toOneLine } from "../terminal/printable.ts";
import type { TextFormat } from "../terminal/screen.ts";
import { LaneViews } from "./lane-views.ts";
import { RunSummary } from "./run-summary.ts";
import { TurnView, type TurnFrame } from "./turn-view.ts";

const GROUP_BAR: Line = styleLine(["│ ", "dim"]);

/** The transcript of one run, across its pauses. */
export class Transcript {
  readonly #agentViews: AgentViews;
  readonly #format: TextFormat;
  readonly #summary: RunSummary;
  #turn: TurnView | undefined;
  #isGroup = false;
  readonly #lanes: LaneViews;
  /** Turns of sub-crews, which have no lines: their agents have turns too. */
  readonly #crews = new Set<string>();

  constructor(agentViews: AgentViews, format: TextFormat = "plain") {
    this.#agentViews = agentViews;
    this.#format = format;
    this.#summary = new RunSummary(agentViews);
    this.#lanes = new LaneViews(agentViews, format);
  }

  /** Adds the next event, and gives the lines it completed. */
  add(event: RunEvent, width: number): readonly Line[] {
    this.#summary.add(event);
    if (isMember(event.lane)) {
      this.#lanes.add(event, width);
      return [];
    }
    switch (event.type) {
      case "turn.started":
        return this.#startTurn(event, width);
      case "turn.ended":
        return this.#crews.delete(event.turn) ? [] : (this.#turn?.add(event, width) ?? []);
      case "call.ended":
        return [...this.#lanes.takeBelow(event.call, width), ...(this.#turn?.add(event, width) ?? [])];
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
      case "warning.raised":
        return this.#turn?.add(event, width) ?? [toWarning(event, this.#isGroup ? GROUP_BAR : [], width)];
      default:
        return this.#turn?.add(event, width) ?? [];
    }
  }

  /** The lines that are still changing. */
  live(frame: TurnFrame): readonly Line[] {
    return [...(this.#turn?.live(frame) ?? []), ...this.#lanes.live(frame)];
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

  #startGroup(event: RunEvent & EventBodyOf<"group.started">, width: number): readonly Line[] {
    const { group, agents, items, lane } = event;
    this.#lanes.startGroup(event);
    const names = agents.map((agent) => this.#agentViews(agent, lane).name).join(", ");
    this.#turn = undefined;
    this.#isGroup = true;
    return [
      BLANK,
      cutLine(
        styleLine(
          ["◆ ", "strong"],
          [toOneLine(group), "strong"],
          [`  ${names} ${items === undefined ? "in parallel" : toItems(items)}`, "dim"],
        ),
        width,
      ),
    ];
  }

  #endGroup({ winner }: EventBodyOf<"group.ended">, width: number): readonly Line[] {
    const lines = this.#lanes.takeAll(width);
    if (winner === undefined) return lines;
    const name = typeof winner === "number" ? `item ${winner}` : this.#agentViews(winner).name;
    return [...lines, [...GROUP_BAR, ...styleLine(["first: ", "dim"], name)]];
  }

  /** A question does not close the turns: they continue after the answer. */
  #pause(event: EventBodyOf<"run.paused">, width: number): readonly Line[] {
    if (event.by === "signal") return this.#close(styleLine(["waits for you", "warn"]), width);
    return [...this.#lanes.takeOpen(width), ...(this.#turn?.waiting(width) ?? [])];
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
    return [...this.#lanes.takeAll(width), ...closing, BLANK, ...this.#summary.toLines(event, width)];
  }
}

/** A warning outside of any turn. */
function toWarning({ text }: EventBodyOf<"warning.raised">, bar: Line, width: number): Line {
  return cutLine([...bar, ...styleLine(["▲ ", "warn"], toOneLine(text))], width);
}

const toItems = (count: number): string => (count === 1 ? "on 1 item" : `on ${count} items`);
