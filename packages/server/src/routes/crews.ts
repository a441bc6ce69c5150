/**
 * Crews: what is served, as graphs and with what a check of each says; and the tools they use.
 */
import { type Crew, given, type Tool, type When } from "@baton/core";
import { z } from "zod";
import type { Api } from "./api.ts";
import type { ServedCrew } from "../options.ts";
import type { Service } from "../service.ts";

/** Dotted paths of an output, and what must stand there. */
const CONDITION = z.record(z.string(), z.json());
const ROUTE = z.object({
  agent: z.string(),
  signal: z.string().optional(),
  when: CONDITION.optional(),
  target: z.string(),
});

const BRIEF = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  agents: z.array(z.string()),
  examples: z.array(z.string()).meta({ description: "Inputs that a person could try" }),
});
const CREW = z
  .object({
    ...BRIEF.shape,
    entry: z.object({ kind: z.enum(["agent", "group", "crew"]), id: z.string() }),
    agents: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        role: z.string().optional(),
        description: z.string().optional(),
        tools: z.array(z.string()),
      }),
    ),
    groups: z.array(z.object({ id: z.string(), agents: z.array(z.string()), next_agent: z.string().optional() })),
    signals: z.array(ROUTE),
    tasks: z.array(z.object({ name: z.string(), description: z.string(), agent: z.string() })),
    graph: z.string().meta({ description: "Mermaid" }),
    findings: z.array(
      z.looseObject({ severity: z.enum(["error", "warning", "note"]), message: z.string(), fix: z.string() }),
    ),
  })
  .meta({ id: "Crew" });
const TOOL = z
  .object({
    name: z.string(),
    description: z.string(),
    effect: z.enum(["read", "idempotent", "irreversible"]),
    crew: z.string(),
    tags: z.array(z.string()).meta({ description: "Words that the crew sorts its tools by" }),
    is_client: z.boolean().meta({ description: "The client that follows the run carries it out" }),
    input_schema: z.unknown(),
  })
  .meta({ id: "Tool" });

/** Adds the routes of crews and tools. */
export function addCrews(api: Api, { crews }: Service): void {
  api.add(
    {
      method: "get",
      path: "/api/crews",
      summary: "The crews that are served; the first is the default",
      scope: "read",
      answers: { 200: { description: "Crews", schema: z.object({ crews: z.array(BRIEF) }) } },
    },
    (c) => c.json({ crews: crews.all.map(toBrief) }),
  );
  api.add(
    {
      method: "get",
      path: "/api/crews/:id",
      summary: "One crew: its agents, routing, graph, and what a check of it says",
      scope: "read",
      answers: { 200: { description: "The crew", schema: CREW } },
    },
    (c) => c.json(toView(crews.get(c.req.param("id")))),
  );
  api.add(
    {
      method: "get",
      path: "/api/tools",
      summary: "The tools of all crews",
      scope: "read",
      answers: { 200: { description: "Tools", schema: z.object({ tools: z.array(TOOL) }) } },
    },
    (c) => c.json({ tools: crews.all.flatMap(({ id, crew }) => [...crew.tools.values()].map(toToolOf(id))) }),
  );
}

function toBrief({ id, crew }: ServedCrew): z.infer<typeof BRIEF> {
  const { name, description, agents, examples } = crew;
  return { id, name, description, agents: [...agents.keys()], examples: [...examples] };
}

function toView({ id, crew, graph, findings }: ServedCrew): z.infer<typeof CREW> {
  return {
    id,
    name: crew.name,
    description: crew.description,
    entry: { ...crew.entry },
    agents: toAgents(crew),
    examples: [...crew.examples],
    groups: Array.from(crew.groups, ([group, { agents, nextAgent }]) => ({
      id: group,
      agents: [...agents],
      ...(nextAgent === undefined ? {} : { next_agent: nextAgent }),
    })),
    signals: Array.from(crew.signals, ([agent, routes]) =>
      routes.map(({ signal, when, target }) => ({ agent, ...toCause(signal, when), target })),
    ).flat(),
    tasks: crew.tasks.map(({ name, description, agent }) => ({ name, description, agent })),
    graph,
    findings: findings.map((finding) => ({ ...finding })),
  };
}

function toAgents({ agents }: Crew): z.infer<typeof CREW>["agents"] {
  return Array.from(agents.values(), ({ id, name, role, description, tools }) => ({
    id,
    name,
    role,
    description,
    tools: [...tools],
  }));
}

function toToolOf(crew: string) {
  return ({ name, description, effect, inputSchema, tags = [], isClient }: Tool): z.infer<typeof TOOL> => ({
    name,
    description,
    effect,
    crew,
    tags: [...tags],
    is_client: isClient,
    input_schema: inputSchema,
  });
}

/** What a route is taken by: a signal, or what an agent gives. */
function toCause(signal: string | undefined, when: When | undefined): Pick<z.infer<typeof ROUTE>, "signal" | "when"> {
  return when === undefined ? given({ signal }) : { when: CONDITION.parse(when) };
}
