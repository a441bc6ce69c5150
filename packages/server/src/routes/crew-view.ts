/**
 * Crew view: a crew as clients see it: agents with their prompts, routing, limits, drawing, and what a check says.
 */
import type { Agent, Crew } from "@baton/core";
import { isTerminal } from "@baton/core/engine";
import { type Settings, SETTINGS, type When } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { explore, serverOf, toDrawing, toMermaid } from "@baton/crewfile";
import { z } from "zod";
import type { CrewFinding, ServedCrew } from "../options.ts";

/** Dotted paths of an output, and what must stand there. */
const CONDITION = z.record(z.string(), z.json());
const ROUTE = z.object({
  agent: z.string(),
  signal: z.string().optional(),
  when: CONDITION.optional(),
  target: z.string(),
  description: z.string().optional(),
});
const POINT = z.object({ x: z.number(), y: z.number() });
const MARKS = z.array(z.enum(["entry", "terminal", "pause", "unreachable"]));

const DRAWING = z
  .object({
    width: z.number(),
    height: z.number(),
    boxes: z.array(
      z.object({
        ...POINT.shape,
        id: z.string(),
        kind: z.enum(["agent", "group", "crew", "program", "end"]),
        subtitle: z.string(),
        marks: MARKS,
        members: z.array(z.string()),
        again: z.array(z.string()).meta({ description: "Signals with which it keeps the baton" }),
        width: z.number(),
        height: z.number(),
      }),
    ),
    arrows: z.array(
      z.object({
        from: z.int().meta({ description: "A position in `boxes`" }),
        to: z.int(),
        labels: z.array(z.string()),
        is_rule: z.boolean().meta({ description: "Only a rule that applies without a signal" }),
        is_cycle: z.boolean(),
        points: z.array(POINT),
        label: POINT,
      }),
    ),
    left_out: z.string().meta({ description: "What is not drawn because there is too much of it" }),
  })
  .meta({ id: "Drawing" });

const AGENT = z.object({
  id: z.string(),
  name: z.string(),
  role: z.string(),
  description: z.string(),
  model: z.string().optional().meta({ description: "As the crew names it; without it the server's choice" }),
  system_prompt: z.string(),
  prompt_at: z
    .object({ file: z.string(), line: z.int() })
    .optional()
    .meta({ description: "The file and line of the prompt" }),
  tools: z.array(z.string()),
  skills: z.array(z.string()).optional().meta({ description: "Skills that its prompt lists" }),
  audience: z.enum(["user", "crew"]),
  terminal: z.boolean(),
  pause: z.boolean().meta({ description: "It waits for the user if no signal matched" }),
  signal_position: z.enum(["anywhere", "end"]).meta({ description: "Where in a reply its signals count" }),
});

/** A crew in a list. */
export const BRIEF = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.enum(["crew", "assistant"]),
  agents: z.array(z.string()),
  examples: z.array(z.string()).meta({ description: "Inputs that a person could try" }),
});

/** One crew, whole. */
export const CREW = z
  .object({
    ...BRIEF.shape,
    entry: z.object({ kind: z.enum(["agent", "group", "crew"]), id: z.string() }),
    agents: z.array(AGENT),
    groups: z.array(
      z.object({
        id: z.string(),
        agents: z.array(z.string()),
        mode: z.enum(["settled", "all", "first"]),
        next_agent: z.string().optional(),
        map: z.string().optional(),
        over: z.string().optional(),
      }),
    ),
    signals: z.array(ROUTE),
    tasks: z.array(z.object({ name: z.string(), description: z.string(), agent: z.string() })),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        effect: z.string(),
        server: z.string().optional().meta({ description: "The MCP server that has the tool" }),
      }),
    ),
    permissions: z.record(z.string(), z.enum(["allow", "ask", "ask_operator", "deny"])),
    settings: z.record(z.string(), z.number()).meta({ description: "By their names in crew.yaml" }),
    worst_case: z.object({
      model_calls: z.number(),
      tool_rounds: z.number(),
      handoffs: z.number(),
      code_calls: z.number().optional(),
      is_exact: z.boolean(),
    }),
    graph: z.string().meta({ description: "Mermaid" }),
    drawing: DRAWING,
    findings: z.array(
      z.looseObject({ severity: z.enum(["error", "warning", "note"]), message: z.string(), fix: z.string() }),
    ),
  })
  .meta({ id: "Crew" });

/** Data beside the crew's definition; a crew that is not served has only an id. */
export type CrewAbout = Pick<ServedCrew, "id"> & Partial<Pick<ServedCrew, "findings" | "kind" | "prompts">>;

/** A crew in a list. */
export function crewBriefOf({ id, crew, kind = "crew" }: ServedCrew): z.infer<typeof BRIEF> {
  const { name, description, agents, examples } = crew;
  return { id, name, description, kind, agents: [...agents.keys()], examples: [...examples] };
}

/** A crew, whole. */
export function toCrewView(crew: Crew, { id, findings = [], kind = "crew", prompts }: CrewAbout): z.infer<typeof CREW> {
  const { worst } = explore(crew);
  return {
    id,
    name: crew.name,
    description: crew.description,
    kind,
    entry: { ...crew.entry },
    agents: Array.from(crew.agents.values(), (agent) => toAgent(agent, crew, prompts)),
    examples: [...crew.examples],
    groups: Array.from(crew.groups, ([group, { agents, mode = "settled", nextAgent, map, over }]) => ({
      id: group,
      agents: map === undefined ? [...agents] : [map],
      mode,
      ...omitUndefined({ next_agent: nextAgent, map, over }),
    })),
    signals: Array.from(crew.signals, ([agent, routes]) =>
      routes.map(({ signal, when, target, description }) => ({
        agent,
        ...toCause(signal, when),
        target,
        ...omitUndefined({ description }),
      })),
    ).flat(),
    tasks: crew.tasks.map(({ name, description, agent }) => ({ name, description, agent })),
    tools: Array.from(crew.tools.values(), ({ name, description, effect, tags = [] }) => ({
      name,
      description,
      effect,
      ...omitUndefined({ server: serverOf({ tags }) }),
    })),
    permissions: Object.fromEntries(crew.permissions),
    settings: toSettings(crew.settings),
    worst_case: {
      model_calls: worst.modelCalls,
      tool_rounds: worst.toolRounds,
      handoffs: worst.handoffs,
      ...(worst.codeCalls === undefined ? {} : { code_calls: worst.codeCalls }),
      is_exact: worst.isExact,
    },
    graph: toMermaid(crew),
    drawing: toDrawingView(crew),
    findings: findings.map(toFinding),
  };
}

function toAgent(agent: Agent, crew: Crew, prompts: CrewAbout["prompts"]): z.infer<typeof AGENT> {
  const { id, name, role, description, tools, audience, systemPrompt = "" } = agent;
  const model = agent.model?.name ?? crew.model?.name;
  const at = prompts?.get(id);
  return {
    id,
    name,
    role,
    description,
    ...omitUndefined({ model }),
    system_prompt: systemPrompt,
    ...(at === undefined ? {} : { prompt_at: { ...at } }),
    tools: [...tools],
    ...omitUndefined({ skills: agent.skills?.map((skill) => skill.name) }),
    audience,
    terminal: isTerminal(agent, crew),
    pause: crew.behaviors.get(id)?.waitForSignal === true,
    signal_position: crew.behaviors.get(id)?.signalPosition ?? crew.settings.signalPosition,
  };
}

/** In the units of crew.yaml. */
function toSettings(settings: Settings): Record<string, number> {
  const numbers = new Map(Object.entries(settings));
  return Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([name, { yaml, scale }]) => {
      const value = numbers.get(name);
      return typeof value === "number" ? [[yaml, value / scale]] : [];
    }),
  );
}

function toDrawingView(crew: Crew): z.infer<typeof DRAWING> {
  const { width, height, boxes, arrows, leftOut } = toDrawing(crew);
  return {
    width,
    height,
    boxes: boxes.map(({ marks, members, again, ...box }) => ({
      ...box,
      marks: [...marks],
      members: [...members],
      again: [...again],
    })),
    arrows: arrows.map(({ from, to, labels, isRule, isCycle, points, label }) => ({
      from,
      to,
      labels: [...labels],
      is_rule: isRule,
      is_cycle: isCycle,
      points: points.map(({ x, y }) => ({ x, y })),
      label: { x: label.x, y: label.y },
    })),
    left_out: leftOut,
  };
}

function toFinding({ conversation, ...finding }: CrewFinding): z.infer<typeof CREW>["findings"][number] {
  return { ...finding, ...(conversation === undefined ? {} : { conversation: [...conversation] }) };
}

/** The condition of a route: a signal, or an agent's output. */
function toCause(signal: string | undefined, when: When | undefined): Pick<z.infer<typeof ROUTE>, "signal" | "when"> {
  return when === undefined ? omitUndefined({ signal }) : { when: CONDITION.parse(when) };
}
