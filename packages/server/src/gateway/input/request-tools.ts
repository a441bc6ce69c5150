/**
 * Request tools: tools that a request brings for its run, in the words of each protocol.
 *
 * The client that follows the run carries them out. Tools of a kind that only a provider has are left out.
 */
import type { Crew } from "@baton/core";
import { checkRequestTools } from "@baton/core/engine";
import type { RequestTool } from "@baton/core/ports";
import { z } from "zod";
import { invalid } from "../problem.ts";
import { boundedArray, text, VALUE } from "./text.ts";

/** More than a run takes, which has its own message. */
const MAX_LISTED = 1_000;

const NAME = text({ maxBytes: 1_000 });
const DESCRIPTION = text({ maxBytes: 65_536 }).nullish();
const SCHEMA = z.record(z.string(), VALUE).meta({ description: "The JSON Schema of the arguments" });
/** Without it a function takes no arguments. */
const PARAMETERS = SCHEMA.nullish();

/** Tools of `POST /api/runs`. */
export const TOOLS = boundedArray(
  z.object({ name: NAME, description: DESCRIPTION, input_schema: SCHEMA }),
  MAX_LISTED,
).meta({ description: "Tools that the client carries out, for agents whose `client_tools` takes them" });

const FUNCTION = z.object({ name: NAME, description: DESCRIPTION, parameters: PARAMETERS });
const INCOMPLETE = "is missing in a tool of the type function";

/** Tools of AG-UI. */
export const AGUI_TOOLS = boundedArray(FUNCTION, MAX_LISTED).nullish();

/** Tools of Chat Completions. */
export const CHAT_TOOLS = boundedArray(
  z
    .object({ type: z.string(), function: FUNCTION.optional() })
    .refine((tool) => tool.type !== "function" || tool.function !== undefined, {
      path: ["function"],
      message: INCOMPLETE,
    }),
  MAX_LISTED,
).nullish();

/** Tools of Responses. */
export const RESPONSE_TOOLS = boundedArray(
  z
    .object({ type: z.string(), name: NAME.optional(), description: DESCRIPTION, parameters: PARAMETERS })
    .refine(({ type, name }) => type !== "function" || name !== undefined, { path: ["name"], message: INCOMPLETE }),
  MAX_LISTED,
).nullish();

/** A tool as it was sent, and where. */
export interface SentTool {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly schema: RequestTool["inputSchema"] | null | undefined;
  /** The fields of the request that hold its name and its schema. */
  readonly nameField: string;
  readonly schemaField: string;
}

/** Tools of `POST /api/runs` in words of our own. */
export function fromTools(tools: z.output<typeof TOOLS> = []): readonly SentTool[] {
  return tools.map(({ name, description, input_schema: schema }, index) => {
    const field = `tools.${index}`;
    return { name, description, schema, nameField: `${field}.name`, schemaField: `${field}.input_schema` };
  });
}

/** Tools of AG-UI and Responses in words of our own. */
export function fromFunctions(
  tools: z.output<typeof AGUI_TOOLS> | z.output<typeof RESPONSE_TOOLS>,
): readonly SentTool[] {
  return (tools ?? []).flatMap((tool, index) =>
    "type" in tool && tool.type !== "function" ? [] : [toSent(tool, `tools.${index}`)],
  );
}

/** Tools of Chat Completions in words of our own. */
export function fromChatTools(tools: z.output<typeof CHAT_TOOLS>): readonly SentTool[] {
  return (tools ?? []).flatMap((tool, index) =>
    tool.type === "function" && tool.function !== undefined ? [toSent(tool.function, `tools.${index}.function`)] : [],
  );
}

type SentFunction = Omit<z.output<typeof FUNCTION>, "name"> & { readonly name?: string | undefined };

function toSent({ name = "", description, parameters }: SentFunction, field: string): SentTool {
  return { name, description, schema: parameters, nameField: `${field}.name`, schemaField: `${field}.parameters` };
}

/** The tools of a request to a crew; throws 400 with everything that is wrong, by field. */
export function readRequestTools(crew: Crew, sent: readonly SentTool[]): readonly RequestTool[] | undefined {
  if (sent.length === 0) return undefined;
  const tools = sent.map(({ name, description, schema }) => ({
    name,
    description: description ?? "",
    inputSchema: schema ?? {},
  }));
  const problems = checkRequestTools(crew, tools).map(({ path, message }) => {
    const [index, part, ...rest] = path.split(".");
    const tool = path === "" ? undefined : sent[Number(index)];
    if (tool === undefined) return { field: "tools", message };
    return { field: part === "name" ? tool.nameField : [tool.schemaField, ...rest].join("."), message };
  });
  if (problems.length > 0) throw invalid(problems);
  return tools;
}
