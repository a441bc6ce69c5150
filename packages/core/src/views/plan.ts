/**
 * Plan: a crew made ready to run: prompts, tool lists and signal matchers, compiled once.
 */
import type { Agent, Audience, ChildTool } from "../definitions/agent.ts";
import { toChildTool } from "./child-tool.ts";
import type { Crew, SignalRoute } from "../definitions/definition.ts";
import { estimateTokens } from "./history.ts";
import { toClientTool, toolsFor } from "../definitions/request-tool.ts";
import { type GuardOf, RunGuards } from "../ports/guard.ts";
import type { RequestTool, RunEvent } from "../words/event.ts";
import { freezeDeep, type Json } from "../words/json.ts";
import type { ToolSpec } from "../ports/model.ts";
import { render, type Template, toContextTemplate, toTemplate } from "./prompt.ts";
import { type Speakers, toSpeakers } from "./speaker.ts";
import { compileSignals, type SignalMatcher } from "../words/signal.ts";
import { toSearchTool } from "./tool-search.ts";
import { RUN_CODE, SEARCH, type Tool } from "../definitions/tool.ts";
import { toCodeSpec, toCodeTool } from "./code/code-tool.ts";

/** An agent made ready. */
export interface Role {
  readonly agent: Agent;
  readonly template: Template;
  /** Of the message that stands before the one that opened a turn. */
  readonly context: Template | undefined;
  /** About how many tokens the system text takes if it is always the same, and the tool specifications if all are offered. */
  readonly systemTokens: number | undefined;
  readonly toolTokens: number;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Those of the tools that are agents or crews, by their names. */
  readonly children: ReadonlyMap<string, ChildTool>;
  /** Names of those that the request of the run brought: they stand last, and are always offered. */
  readonly clientTools: readonly string[];
  readonly toolSpecs: readonly ToolSpec[];
  /** Of every tool but `run_code`, by name. */
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** Finds the signals of its routes; an index is that of the route among `signalRoutes`. */
  readonly matcher: SignalMatcher;
  readonly signalRoutes: readonly SignalRoute[];
}

/** A crew made ready, and those that it contains. */
export interface Plan {
  readonly crew: Crew;
  readonly roles: ReadonlyMap<string, Role>;
  readonly speakers: Speakers;
  readonly subs: ReadonlyMap<string, Plan>;
  /** Policies that hold in it: those of the crews around it, outermost first, and its own. */
  readonly policies: readonly Json[];
  /** The same for the lane of a child: everything in it is written for the crew alone. */
  readonly inner: Plan;
}

/** Parts of a plan that are not the crew's: an audience instead of each agent's own, and the tools of a request. */
type PlanOptions = Readonly<{ audience?: Audience; tools?: readonly RequestTool[]; outer?: readonly Json[] }>;

/** Compiles a crew. */
export function toPlan(crew: Crew, options: PlanOptions = {}): Plan {
  const { audience, tools = [], outer = [] } = options;
  const policies = crew.policies === undefined ? outer : [...outer, crew.policies];
  const roles = new Map<string, Role>();
  for (const agent of crew.agents.values()) {
    roles.set(agent.id, toRole(audience === undefined ? agent : { ...agent, audience }, crew, tools));
  }
  const subs = new Map(
    Array.from(crew.subCrews, ([name, sub]) => [name, toPlan(sub, { ...options, outer: policies })]),
  );
  let inner: Plan | undefined;
  return {
    crew,
    roles,
    speakers: toSpeakers(crew),
    subs,
    policies,
    get inner() {
      return audience === "crew" ? this : (inner ??= toPlan(crew, { tools, outer, audience: "crew" }));
    },
  };
}

/** All policies of a plan and of those that it contains, each once. */
export function policiesIn({ policies, subs }: Plan): readonly Json[] {
  return [...new Set([...policies, ...[...subs.values()].flatMap(policiesIn)])];
}

/** The guards of a run of this plan, which have seen the log so far; undefined if it has no policies. */
export function toGuards(plan: Plan, guardOf: GuardOf, events: readonly RunEvent[]): RunGuards | undefined {
  const policies = policiesIn(plan);
  if (policies.length === 0) return undefined;
  const guards = new RunGuards(policies, guardOf);
  for (const event of events) guards.add(event);
  return guards;
}

/** The tools of an agent by name, agents and crews that it calls included. */
export function toTools(agent: Agent, crew: Crew): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>();
  const children = new Map(agent.children.map((child) => [child.as, child]));
  for (const name of new Set([...agent.tools, ...agent.pinnedTools])) {
    const child = children.get(name);
    const tool = child === undefined ? crew.tools.get(name) : toChildTool(crew, child);
    if (tool !== undefined) tools.set(name, tool);
  }
  if (agent.toolSearch !== false) tools.set(SEARCH, crew.tools.get(SEARCH) ?? toSearchTool([...tools.values()]));
  return tools;
}

function toRole(agent: Agent, crew: Crew, brought: readonly RequestTool[]): Role {
  const own = toTools(agent, crew);
  const client = toolsFor(agent, brought).filter(({ name }) => !own.has(name));
  const inCode = new Map([...own, ...client.map((tool) => [tool.name, toClientTool(tool)] as const)]);
  const isCode = agent.toolCalls === "code";
  const tools = isCode ? new Map([...inCode, [RUN_CODE, toCodeTool(crew.settings)]]) : inCode;
  const specs = freezeDeep(new Map(Array.from(inCode, ([name, tool]) => [name, toSpec(tool)])));
  const pinned = agent.pinnedTools.flatMap((name) => specs.get(name) ?? []);
  const toolSpecs = freezeDeep(isCode ? [toCodeSpec(inCode, inCode.keys()), ...pinned] : [...specs.values()]);
  const routes = crew.signals.get(agent.id) ?? [];
  const signalRoutes = routes.filter(({ signal }) => signal !== undefined);
  const template = toTemplate(agent, crew);
  const isFixed = template.pieces.every((piece) => typeof piece === "string" || "skills" in piece);
  return {
    agent,
    template,
    context: toContextTemplate(agent),
    systemTokens:
      isFixed && agent.output === undefined
        ? estimateTokens({ role: "system", content: render(template, new Map()) })
        : undefined,
    toolTokens: estimateTokens({ role: "system", content: JSON.stringify(toolSpecs) }),
    tools,
    children: new Map(agent.children.map((child) => [child.as, child])),
    clientTools: client.map(({ name }) => name),
    toolSpecs,
    specs,
    matcher: compileSignals(
      signalRoutes.map(({ signal = "" }) => signal),
      crew.behaviors.get(agent.id)?.signalPosition ?? crew.settings.signalPosition,
    ),
    signalRoutes,
  };
}

const toSpec = ({ name, description, inputSchema }: Tool): ToolSpec => ({ name, description, inputSchema });
