/**
 * Diagram: the boxes and arrows of a crew, for any way of drawing them.
 *
 * Agents, programs, groups, sub-crews and the end are boxes; all ways between two boxes are one arrow with a label for
 * each, and so are calls of agents and crews that are tools. Pauses are marks on an agent or sub-crew; agents that only ever work in a group are named there, and those that
 * never get the baton have no arrows. A crew too large to be read as a picture is cut, and the diagram says by how much.
 */
import type { Agent, Crew } from "@baton/core";
import type { Place } from "@baton/core/ports";
import { childrenOf, mayPause, membersOf, programOf, type GraphNode } from "../check/graph.ts";
import { toSourceLines } from "./tool-sources.ts";
import { analyzeRouting, type RoutingAnalysis } from "../check/routing-analysis.ts";

/** A box of a diagram. */
export interface Box {
  readonly kind: Place["kind"] | "program" | "end";
  readonly title: string;
  /** For people: a role with MCP servers and skills, the name of a program or crew, or the members of a group. */
  readonly subtitle: string;
  readonly marks: readonly Mark[];
}

/** A property that a box shows. */
export type Mark = "entry" | "terminal" | "pause" | "unreachable";

/** All ways from one box to another. */
export interface Arrow {
  readonly from: number;
  readonly to: number;
  readonly labels: readonly string[];
  /** Only a rule that applies without a signal. */
  readonly isRule: boolean;
  /** Part of a cycle. */
  readonly isCycle: boolean;
}

/** The boxes of a crew and the arrows between them; arrows go from and to positions in `boxes`. */
export interface Diagram {
  readonly name: string;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  /** A sentence about the parts that are not drawn because there are too many; empty if everything is drawn. */
  readonly leftOut: string;
}

const MAX_BOXES = 100;
const MAX_ARROWS = 300;
const END: Box = { kind: "end", title: "end", subtitle: "", marks: [] };

/** The diagram of a crew. */
export function toDiagram(crew: Crew): Diagram {
  const view = analyzeRouting(crew);
  const places = findPlaces(view);
  const drawn = new Map([...places].slice(0, MAX_BOXES).map(([key, place], index) => [key, { place, index }]));
  const boxes = [...drawn.values()].map(({ place }) => toBox(place, view));
  const end = boxes.length;
  const indexOf = (place: Place): number | undefined => drawn.get(keyOf(place))?.index;
  const all = toArrows(view, indexOf, end);
  const arrows = all.slice(0, MAX_ARROWS);
  const isEnding = arrows.some(({ to }) => to === end);
  const leftOut = toLeftOut(places.size - drawn.size, all.length - arrows.length);
  return { name: crew.name, boxes: isEnding ? [...boxes, END] : boxes, arrows, leftOut };
}

function toLeftOut(boxes: number, arrows: number): string {
  if (boxes === 0 && arrows === 0) return "";
  return `${boxes} more boxes and ${arrows} more arrows are not drawn`;
}

/** Each agent, group and sub-crew to draw, those first that get the baton first. */
function findPlaces({ crew, graph, arrivals, used }: RoutingAnalysis): ReadonlyMap<string, Place> {
  const nodes = [...arrivals.keys(), ...graph.nodes.filter(({ place }) => !used.has(place.id))];
  const callers = [...used].flatMap((id) => crew.agents.get(id) ?? []);
  const children = callers
    .flatMap(childrenOf)
    .map((id): Place => ({ kind: crew.agents.has(id) ? "agent" : "crew", id }));
  const groups = [...crew.groups.keys()].map((id): Place => ({ kind: "group", id }));
  const crews = [...crew.subCrews.keys()].map((id): Place => ({ kind: "crew", id }));
  const unused = [...groups, ...crews].filter(({ id }) => !used.has(id));
  const places = [...nodes.map(({ place }) => place), ...children, ...unused];
  return new Map(places.map((place) => [keyOf(place), place]));
}

function keyOf({ kind, id }: Place): string {
  return `${kind} ${id}`;
}

function toBox({ kind, id }: Place, { crew, graph, used }: RoutingAnalysis): Box {
  const agent = kind === "agent" ? crew.agents.get(id) : undefined;
  const behavior = kind === "agent" ? crew.behaviors.get(id) : undefined;
  const inside = kind === "crew" ? crew.subCrews.get(id) : undefined;
  const program = agent === undefined ? undefined : programOf(agent, crew);
  const marks: Record<Mark, boolean> = {
    entry: graph.entry.place.kind === kind && graph.entry.place.id === id,
    terminal: agent?.isTerminal === true || behavior?.isTerminal === true,
    pause: behavior?.waitForSignal === true || (inside !== undefined && mayPause(inside)),
    unreachable: !used.has(id),
  };
  const all: readonly Mark[] = ["entry", "terminal", "pause", "unreachable"];
  return {
    kind: program === undefined ? kind : "program",
    title: id,
    subtitle: toSubtitle({ agent, inside, program }, crew) ?? toMembers(id, crew),
    marks: all.filter((mark) => marks[mark]),
  };
}

type Drawn = Readonly<{ agent: Agent | undefined; inside: Crew | undefined; program: string | undefined }>;

function toSubtitle({ agent, inside, program }: Drawn, crew: Crew): string | undefined {
  if (program !== undefined) return `program: ${program}`;
  if (inside !== undefined) return `crew: ${inside.name}`;
  return agent && [agent.role, ...toSourceLines(agent, crew)].filter((part) => part !== "").join(" · ");
}

const MODES = { settled: "together", all: "all must answer", first: "first answer" } as const;

function toMembers(id: string, { groups }: Crew): string {
  const group = groups.get(id);
  if (group === undefined) return "";
  const { mode = "settled", map, over = "" } = group;
  const members = membersOf(group).join(", ");
  return map === undefined ? `${MODES[mode]}: ${members}` : `each of ${over}: ${members}`;
}

function toArrows(view: RoutingAnalysis, indexOf: (place: Place) => number | undefined, end: number): readonly Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const node of view.arrivals.keys()) {
    const from = indexOf(node.place);
    if (from === undefined) continue;
    for (const { to, label, via } of node.edges) {
      const index = indexOf(to.place);
      if (index === undefined) continue;
      add({
        from,
        to: index,
        labels: [label],
        isRule: via !== "signal" && via !== "output",
        isCycle: isInCycle(node, to, view),
      });
    }
    for (const { kind, label } of node.exits) {
      if (kind === "end") add({ from, to: end, labels: [label], isRule: label.startsWith("("), isCycle: false });
    }
  }
  for (const agent of view.crew.agents.values()) {
    const from = indexOf({ kind: "agent", id: agent.id });
    for (const [at, id] of childrenOf(agent).entries()) {
      const to = indexOf({ kind: "agent", id }) ?? indexOf({ kind: "crew", id });
      if (from === undefined || to === undefined) continue;
      add({ from, to, labels: [`(calls ${agent.children[at]?.as})`], isRule: true, isCycle: false });
    }
  }
  return [...arrows.values()];

  function add(arrow: Arrow): void {
    const key = `${arrow.from} ${arrow.to}`;
    const known = arrows.get(key);
    const labels = [...new Set([...(known?.labels ?? []), ...arrow.labels])];
    arrows.set(key, { ...arrow, labels, isRule: arrow.isRule && known?.isRule !== false });
  }
}

function isInCycle(from: GraphNode, to: GraphNode, { cycles }: RoutingAnalysis): boolean {
  return cycles.some(({ nodes }) => nodes.has(from) && nodes.has(to));
}
