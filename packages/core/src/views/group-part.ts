/**
 * Group part: a member of a group or an item of a map, before it works in its lane.
 */
import type { Group } from "../definitions/definition.ts";
import type { Failure } from "../words/error.ts";
import type { Host } from "../ports/host.ts";
import type { Json } from "../words/json.ts";
import { type Child, findChild, type Lane, toChildLane } from "./lane.ts";
import { findItems, toItemText } from "./map-items.ts";
import { lookUp } from "../words/state.ts";

/** A group or map that is about to work. */
export interface GroupOptions {
  readonly id: string;
  readonly group: Group;
  /** Position of the group, as a turn. */
  readonly turn: string;
  /** The agent that signalled; empty if the run starts here. */
  readonly from: string;
  /** Output of that agent. */
  readonly output: Json | undefined;
}

/** One member or item: the name it goes by, its place in the list of a map, and who works in its lane. */
export type GroupPart = Readonly<{
  agent: string;
  key: string;
  index?: number;
  child: Child;
  open: (host: Host) => Lane;
}>;

/** The parts of a group; of a map also its list, and how many work at once. */
export type GroupParts = Readonly<{ parts: readonly GroupPart[]; items?: readonly Json[]; maxParallel?: number }>;

type Time = Pick<Lane, "timeSetting">;

/** The members of a group: each has its own copy of the history. */
export function toMembers(lane: Lane, { id, group, turn }: GroupOptions, time: Time): GroupParts {
  const { agents, offers = [] } = group;
  const values = offers.length === 0 ? undefined : lane.host.values(turn);
  const isOut = (agent: string) => offers.some((offer) => offer.agent === agent && !isOn(values, offer.if));
  const parts = agents.flatMap((agent): readonly GroupPart[] => {
    const role = lane.plan.roles.get(agent);
    if (role === undefined || isOut(agent)) return [];
    const open = (host: Host): Lane => ({ ...lane, host, history: [...lane.history], ...time });
    return [{ agent, key: `${turn}/${id}/${agent}`, child: { kind: "agent", role }, open }];
  });
  return { parts };
}

const isOn = (values: ReadonlyMap<string, Json> | undefined, key: string): boolean =>
  values !== undefined && lookUp(values, key) === true;

/** The items of a map: each knows its input alone. */
export function toItems(
  lane: Lane,
  { id, group, turn, output }: GroupOptions,
  time: Time,
): GroupParts | { error: Failure } {
  const { maxParallelAgents, maxDepth } = lane.plan.crew.settings;
  const agent = group.map ?? "";
  const child = findChild(lane, agent);
  if (child === undefined) return { error: { code: "internal", message: `there is no agent or crew "${agent}"` } };
  if (lane.depth >= maxDepth) {
    const limit = { name: "max_depth", value: maxDepth };
    return { error: { code: "limit", message: `group ${id} was not started: max_depth is ${maxDepth}`, limit } };
  }
  const items = findItems({ id, group, output, values: lane.host.values(turn) });
  if ("code" in items) return { error: items };
  const parts = items.map((item, at): GroupPart => {
    const index = at + 1;
    const open = (host: Host): Lane => {
      const content = toItemText(group, { item, index, count: items.length });
      return toChildLane(lane, child, { host, history: [{ role: "user", content }], ...time });
    };
    return { agent, key: `${turn}/${id}/${index}`, index, child, open };
  });
  return { parts, items, maxParallel: group.maxParallel ?? maxParallelAgents };
}
