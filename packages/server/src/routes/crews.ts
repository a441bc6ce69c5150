/**
 * Crews: what is served, drawn and with what a check of each says; and the tools they use.
 */
import type { Crew, Tool } from "@baton/core";
import { z } from "zod";
import type { Api } from "./api.ts";
import type { Service } from "../service.ts";
import { BRIEF, CREW, crewBriefOf, toCrewView } from "./crew-view.ts";

const TOOL = z
  .object({
    name: z.string(),
    description: z.string(),
    effect: z.enum(["read", "idempotent", "irreversible"]),
    crew: z.string(),
    tags: z.array(z.string()).meta({ description: "The tags that the crew gives the tool" }),
    is_client: z.boolean().meta({ description: "The client that follows the run executes it" }),
    isolation: z
      .string()
      .meta({ description: "Where it runs: auto, inline, shared, thread, wasm, process, container" }),
    sandbox: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "Its grants and limits, under their names in crew.yaml" }),
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
    (c) => c.json({ crews: crews.all.map(crewBriefOf) }),
  );
  api.add(
    {
      method: "get",
      path: "/api/crews/:id",
      summary: "One crew: its agents, routing, drawing, worst case, and what a check of it says",
      scope: "read",
      answers: { 200: { description: "The crew", schema: CREW } },
    },
    (c) => {
      const served = crews.get(c.req.param("id"));
      return c.json(toCrewView(served.crew, served));
    },
  );
  api.add(
    {
      method: "get",
      path: "/api/tools",
      summary: "The tools of all crews",
      scope: "read",
      answers: { 200: { description: "Tools", schema: z.object({ tools: z.array(TOOL) }) } },
    },
    (c) => c.json({ tools: crews.all.flatMap(({ id, crew }) => [...crew.tools.values()].map(toToolOf(id, crew))) }),
  );
}

function toToolOf(crew: string, { settings }: Pick<Crew, "settings">) {
  return ({ name, description, effect, inputSchema, tags = [], isClient, ...tool }: Tool): z.infer<typeof TOOL> => ({
    name,
    description,
    effect,
    crew,
    tags: [...tags],
    is_client: isClient,
    isolation: tool.isolation ?? (isClient ? "inline" : settings.toolIsolation),
    ...(tool.sandbox === undefined ? {} : { sandbox: { ...tool.sandbox } }),
    input_schema: inputSchema,
  });
}
