/**
 * Agent fields: one agent's YAML as a definition.
 */
import type { AgentDefinition } from "@baton/core";
import {
  type AgentTool,
  type CostLimits,
  type CrewTool,
  type ErrorLimits,
  type ProviderOptions,
  SETTINGS,
  type ToolOffer,
} from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { report, readEntries, readFlag, readItems, readJson, readTextItem, type Cursor } from "../yaml/cursor.ts";
import { Fields } from "./fields.ts";
import { isProvider, readModel } from "../model-name.ts";
import { readSchema } from "./schema-fields.ts";
import { readScaled } from "./settings-fields.ts";

/** The agent that a map describes; `id` is its id if the map has none. */
export function readAgent(cursor: Cursor, id: string, providers: readonly string[]): AgentDefinition {
  const fields = new Fields(cursor);
  const own = fields.required("id", "the agent's id");
  const definition: AgentDefinition = {
    id: own ?? id,
    ...omitUndefined({
      name: fields.required("name", "what people call the agent"),
      role: fields.required("role", "what the agent is for"),
      description: fields.text("description"),
      backstory: fields.text("backstory"),
      systemPrompt: fields.text("system_prompt"),
      context: fields.text("context"),
      ...readModels(fields, providers),
      toolCalls: fields.choice("tool_calls", ["auto", "native", "text", "code"]),
      toolChoice: fields.text("tool_choice"),
      parallelToolCalls: fields.flag("parallel_tool_calls"),
      maxSteps: fields.number("max_rounds"),
      temperature: fields.number("temperature"),
      topP: fields.number("top_p"),
      maxTokens: fields.number("max_tokens"),
      reasoning: fields.choice("reasoning", ["none", "low", "medium", "high"]),
      providerOptions: readProviderOptions(fields.get("provider_options"), providers),
      promptCache: fields.choice("prompt_cache", ["auto", "long", "off"]),
      clientTools: readClientTools(fields.get("client_tools")),
      tools: fields.items("tools")?.map(readTool),
      pinnedTools: fields.texts("pinned_tools"),
      toolSearch: readToolSearch(fields.get("tool_search")),
      input: readOutput(fields.get("input")),
      output: readOutput(fields.get("output")),
      history: fields.number("history"),
      audience: fields.choice("audience", ["user", "crew"]),
      handoffTargets: fields.texts("handoff_targets"),
      isTerminal: fields.flag("is_terminal"),
      costLimits: readCostLimits(fields.fields("cost_limits")),
      errorLimits: readErrorLimits(fields.fields("error_limits")),
    }),
  };
  // Which skills there are is known later: `withSkills` reads the names.
  fields.get("skills");
  fields.end();
  return definition;
}

/** A tool's name, or with `if` the value of the run's state that must be true; one without a name keeps its position. */
function readTool(cursor: Cursor): string | ToolOffer | AgentTool | CrewTool {
  if (cursor.value.kind !== "map") return readTextItem(cursor) ?? "";
  const fields = new Fields(cursor);
  const child = readChild(fields);
  if (child !== undefined) return child;
  const name = fields.required("name", "the name of a tool") ?? "";
  const key = fields.required("if", "the value of the run's state that must be true");
  fields.end();
  return key === undefined ? name : { name, if: key };
}

/** An agent or a sub-crew that is called as a tool. */
function readChild(fields: Fields): AgentTool | CrewTool | undefined {
  const [agent, crew] = [fields.text("agent"), fields.text("crew")];
  if (agent === undefined && crew === undefined) return undefined;
  const options = omitUndefined({
    as: fields.text("as"),
    description: fields.text("description"),
    maxCalls: fields.number("max_calls"),
    timeoutMs: readScaled(fields, { ...SETTINGS.timeoutMs, yaml: "timeout_seconds" }),
  });
  fields.end();
  const both = crew === undefined || agent === undefined ? {} : { crew };
  return agent === undefined ? { crew: crew ?? "", ...options } : { agent, ...both, ...options };
}

/** Fields of providers' requests, by the name of the provider. */
function readProviderOptions(cursor: Cursor | undefined, providers: readonly string[]): ProviderOptions | undefined {
  const entries = cursor === undefined ? undefined : readEntries(cursor);
  if (entries === undefined) return undefined;
  const options = [...entries].flatMap(([provider, own]) => {
    if (!isProvider(own, provider, providers)) return [];
    const fields = [...(readEntries(own) ?? [])].map(([name, value]) => [name, readJson(value) ?? null] as const);
    return [[provider, Object.fromEntries(fields)] as const];
  });
  return Object.fromEntries(options);
}

function readClientTools(cursor: Cursor | undefined): AgentDefinition["clientTools"] {
  if (cursor?.value.kind !== "list") return cursor === undefined ? undefined : readFlag(cursor);
  return readItems(cursor)?.map((item) => readTextItem(item) ?? "");
}

function readToolSearch(cursor: Cursor | undefined): AgentDefinition["toolSearch"] {
  if (cursor === undefined) return undefined;
  if (cursor.value.kind !== "map") return readFlag(cursor);
  const fields = new Fields(cursor);
  const key = fields.required("if", "the value of the run's state that must be true");
  fields.end();
  return key === undefined ? undefined : { if: key };
}

function readOutput(cursor: Cursor | undefined): AgentDefinition["output"] {
  return cursor === undefined ? undefined : readSchema(cursor);
}

function readModels(fields: Fields, providers: readonly string[]): Pick<AgentDefinition, "model" | "backup"> {
  const [primary, backup] = ["primary", "backup"].map((name) => {
    const part = fields.fields(name);
    const model = part && readModel(part, providers);
    part?.end();
    return model;
  });
  const beside = fields.get("model");
  if (beside !== undefined && fields.get("primary") !== undefined) {
    const message = "`model` has no effect, because the agent has `primary` too";
    report(beside, { code: "no_effect", severity: "warning", message, fix: "remove one of the two" });
    for (const name of ["provider", "provider_url"]) fields.get(name);
    return omitUndefined({ model: primary, backup });
  }
  return omitUndefined({ model: primary ?? readModel(fields, providers), backup });
}

function readCostLimits(fields: Fields | undefined): CostLimits | undefined {
  if (fields === undefined) return undefined;
  const limits: CostLimits = omitUndefined({
    maxTokensPerCall: fields.number("max_tokens_per_call"),
    maxTokensPerDay: fields.number("max_tokens_per_day"),
    maxCostPerDayUsd: fields.number("max_cost_per_day_usd"),
    alertThreshold: fields.number("alert_threshold"),
    blockOnCostExceed: fields.flag("block_on_cost_exceed"),
    inputTokenPricePerMillion: fields.number("input_token_price_per_million"),
    outputTokenPricePerMillion: fields.number("output_token_price_per_million"),
  });
  fields.end();
  return limits;
}

function readErrorLimits(fields: Fields | undefined): ErrorLimits | undefined {
  if (fields === undefined) return undefined;
  const limits: ErrorLimits = omitUndefined({
    maxConsecutive: fields.number("max_consecutive"),
    maxPerDay: fields.number("max_per_day"),
    blockOnErrorExceed: fields.flag("block_on_error_exceed"),
  });
  fields.end();
  return limits;
}
