/**
 * Child check: whether agents and crews that are used as tools, and maps, name what exists, fit, and come to an end.
 *
 * An agent that reaches itself through tools would never end, and neither would crews without a bound on their depth.
 */
import type { AgentTool, ChildTool, CrewTool } from "./agent.ts";
import { type Crew, type CrewDefinition, entriesOf, type Finding, type GroupDefinition } from "./definition.ts";
import { DEFAULT_SETTINGS } from "./limits.ts";
import { nearest } from "../words/nearest.ts";

type Defect = Omit<Finding, "severity">;
type Path = Finding["path"];

/** A child as a definition names it, and where. */
type Named = Readonly<{ tool: AgentTool | CrewTool; name: string; path: Path }>;

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Largest number of items of a map. */
export const MAX_ITEMS = 1_000;

/** Whether an entry of an agent's tools is an agent or a crew. */
export function isChild(tool: unknown): tool is AgentTool | CrewTool {
  return typeof tool === "object" && tool !== null && ("agent" in tool || "crew" in tool);
}

/** The name of a tool in an agent's list. */
export function nameOf(tool: string | Readonly<{ name: string }> | AgentTool | CrewTool): string {
  if (typeof tool === "string") return tool;
  if ("name" in tool) return tool.name;
  return tool.as ?? ("agent" in tool ? tool.agent : tool.crew);
}

/** The agents and crews that each agent of a definition has as tools. */
export function childrenOf(definition: CrewDefinition): ReadonlyMap<string, readonly Named[]> {
  const found = new Map<string, readonly Named[]>();
  for (const [index, agent] of entriesOf(definition.agents)) {
    if (typeof agent !== "object" || agent === null || !("id" in agent)) continue;
    const lists = ["tools", "children"].flatMap((list) =>
      Array.from(entriesOf(Reflect.get(agent, list)), ([at, tool]) => ({ tool, path: ["agents", index, list, at] })),
    );
    const own = lists.flatMap(({ tool, path }) => (isChild(tool) ? { tool, path, name: nameOf(tool) } : []));
    found.set(String(agent.id), own);
  }
  return found;
}

/** Finds defects of agents and crews as tools, and of maps. */
export function* checkChildren(definition: CrewDefinition): Iterable<Defect> {
  const children = childrenOf(definition);
  const agents = [...children.keys()];
  const crews = Array.from(entriesOf(definition.subCrews), ([name]) => name);
  for (const agent of definition.agents) {
    const own = children.get(agent.id) ?? [];
    const names = new Set((agent.tools ?? []).flatMap((tool) => (isChild(tool) ? [] : nameOf(tool))));
    for (const child of own) {
      yield* checkTool(child, { agents, crews });
      // A stored crew has the names of its children in `tools` too.
      if (child.path[2] === "tools" && names.has(child.name)) yield toTwice(child);
      names.add(child.name);
    }
  }
  for (const [name, group] of entriesOf(definition.groups))
    yield* checkGroup(group, ["groups", name], [...agents, ...crews]);
  const cycle = findCycle(children);
  if (cycle === undefined) yield* checkDepth(definition, children);
  else yield cycle;
}

type Known = Readonly<{ agents: readonly string[]; crews: readonly string[] }>;

function* checkTool({ tool, name, path }: Named, { agents, crews }: Known): Iterable<Defect> {
  const kind = "agent" in tool ? "agent" : "crew";
  const id = "agent" in tool ? tool.agent : tool.crew;
  const known = kind === "agent" ? agents : crews;
  if ("agent" in tool && "crew" in tool) {
    yield { code: "invalid_tool", path, message: "the tool is an agent and a crew", fix: "write two tools" };
  }
  if (!known.includes(id)) {
    const [code, what] = kind === "agent" ? ["unknown_agent", "agent"] : ["unknown_crew", "sub-crew"];
    const near = nearest(id, known);
    const fix = near === undefined ? `name one of the crew's ${what}s` : `did you mean \`${near}\`?`;
    yield { code, path: [...path, kind], message: `there is no ${what} \`${id.slice(0, 100)}\``, fix };
  } else if (!NAME.test(name)) {
    const at = tool.as === undefined ? [...path, kind] : [...path, "as"];
    const fix = "give it a name in `as`: at most 64 letters, digits, _ and -";
    yield { code: "invalid_value", path: at, message: `\`${name.slice(0, 100)}\` is not a name of a tool`, fix };
  }
}

function toTwice({ name, path }: Named): Defect {
  const fix = "give one of the two another name in `as`";
  return { code: "duplicate_tool", path, message: `the agent has two tools called \`${name}\``, fix };
}

function* checkGroup(group: GroupDefinition, path: Path, members: readonly string[]): Iterable<Defect> {
  if (typeof group !== "object" || group === null) return;
  const { agents = [], map, over } = group;
  if (map === undefined) {
    const fix = "add an agent";
    if (agents.length === 0)
      yield { code: "empty_group", path: [...path, "agents"], message: "the list is empty", fix };
    const stray = ["over", "input", "maxParallel", "maxItems"].find((field) => field in group);
    if (stray === undefined) return;
    const message = `\`${stray}\` has a meaning only together with \`map\``;
    yield { code: "invalid_group", path: [...path, stray], message, fix: "add `map`, or remove it" };
    return;
  }
  if (agents.length > 0) {
    const fix = "remove one of the two";
    yield { code: "invalid_group", path: [...path, "map"], message: "the group has `agents` and `map`", fix };
  }
  if (!members.includes(map)) {
    const near = nearest(map, members);
    const fix = near === undefined ? "name an agent or a sub-crew" : `did you mean \`${near}\`?`;
    yield { code: "unknown_agent", path: [...path, "map"], message: `there is no agent or sub-crew \`${map}\``, fix };
  }
  if (typeof over === "string" && /^(output|state)\../.test(over)) return;
  const message = over === undefined ? "`over` is missing" : `\`${over}\` leads to no list`;
  const fix = "write `output.PATH`, of the agent that leads here, or `state.KEY`";
  yield { code: "invalid_over", path: over === undefined ? path : [...path, "over"], message, fix };
}

type Children = ReadonlyMap<string, readonly Named[]>;

/** Finds an agent that reaches itself through tools. */
function findCycle(children: Children): Defect | undefined {
  const done = new Set<string>();
  const visit = (id: string, way: readonly string[]): Defect | undefined => {
    if (done.has(id)) return undefined;
    for (const { tool, path } of children.get(id) ?? []) {
      if (!("agent" in tool)) continue;
      const from = [...way, id].indexOf(tool.agent);
      if (from !== -1) return toCycle([...way, id].slice(from), path);
      const found = visit(tool.agent, [...way, id]);
      if (found !== undefined) return found;
    }
    done.add(id);
    return undefined;
  };
  for (const id of children.keys()) {
    const found = visit(id, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

function toCycle(way: readonly string[], path: Path): Defect {
  const [first = ""] = way;
  const message = `the agent \`${first}\` reaches itself through tools: ${[...way, first].join(" → ")}`;
  return { code: "agent_cycle", path, message, fix: "remove one of these tools" };
}

/** The longest way of children inside each other, by their names. */
type Way = readonly string[];

/** Contents of a crew: the children of its agents, its maps, and its crews. */
interface Nesting {
  readonly agents: ReadonlyMap<string, readonly ChildTool[]>;
  readonly maps: readonly (readonly [name: string, member: string])[];
  readonly subCrews: ReadonlyMap<string, Crew>;
}

function* checkDepth(definition: CrewDefinition, children: Children): Iterable<Defect> {
  const { maxDepth = DEFAULT_SETTINGS.maxDepth } = definition.settings ?? {};
  const agents = Array.from(
    children,
    ([id, own]) => [id, own.map(({ tool, name }) => ({ ...tool, as: name }))] as const,
  );
  const groups = new Map(Array.from(entriesOf(definition.groups), ([name, { map }]) => [name, { map }]));
  const subCrews = new Map(entriesOf(definition.subCrews));
  const way = findWay({ agents: new Map(agents), maps: mapsOf(groups), subCrews }, new Map());
  if (!(maxDepth >= 1) || way.length <= maxDepth) return;
  const message = `${way.length} agents, maps and crews are inside each other, and max_depth is ${maxDepth}: ${way.join(" → ")}`;
  const path = ["settings", "maxDepth"];
  yield { code: "too_deep", path, message, fix: "remove a tool on this way, or raise `max_depth`" };
}

type Maps = ReadonlyMap<string, { readonly map?: string | undefined }>;

const mapsOf = (groups: Maps): Nesting["maps"] =>
  [...groups].flatMap(([name, { map }]) => (map === undefined ? [] : [[name, map] as const]));

/** Each agent and crew is looked at once: many may contain the same. */
function findWay({ agents, maps, subCrews }: Nesting, crews: Map<Crew, Way>): Way {
  const known = new Map<string, Way>();
  const inAgent = (id: string): Way => {
    const way = known.get(id) ?? longest((agents.get(id) ?? []).map(inChild));
    known.set(id, way);
    return way;
  };
  const inCrew = (crew: Crew | undefined): Way => {
    if (crew === undefined) return [];
    const own = {
      agents: new Map(Array.from(crew.agents, ([id, { children }]) => [id, children])),
      maps: mapsOf(crew.groups),
    };
    const way = crews.get(crew) ?? findWay({ ...own, subCrews: crew.subCrews }, crews);
    crews.set(crew, way);
    return way;
  };
  const inMember = (id: string): Way => (agents.has(id) ? inAgent(id) : inCrew(subCrews.get(id)));
  const inChild = (tool: ChildTool): Way => [tool.as, ...inMember("agent" in tool ? tool.agent : tool.crew)];
  return longest([
    ...Array.from(agents.keys(), inAgent),
    ...maps.map(([name, member]): Way => [name, ...inMember(member)]),
    ...Array.from(subCrews, ([name, sub]): Way => [name, ...inCrew(sub)]),
  ]);
}

function longest(ways: readonly Way[]): Way {
  return ways.reduce((one, other) => (other.length > one.length ? other : one), []);
}
