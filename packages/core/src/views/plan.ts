/**
 * Plan: a crew made ready to run: prompts, tool lists and signal matchers, compiled once.
 */
import type { Agent, Audience, ChildTool } from "../definitions/agent.ts";
import { toChildTool } from "./child-tool.ts";
import type { Crew, SignalRoute } from "../definitions/definition.ts";
import { estimateTokens } from "./history.ts";
import { freezeDeep } from "../words/json.ts";
import type { ToolSpec } from "../ports/model.ts";
import { render, type Template, toContextTemplate, toTemplate } from "./prompt.ts";
import { type Speakers, toSpeakers } from "./speaker.ts";
import { compileSignals, type SignalMatcher } from "../words/signal.ts";
import { SEARCH, toSearchTool } from "./tool-search.ts";
import type { Tool } from "../definitions/tool.ts";

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
  readonly toolSpecs: readonly ToolSpec[];
  /** The same by name. */
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
  /** The same for the lane of a child: everything in it is written for the crew alone. */
  readonly inner: Plan;
}

/** Compiles a crew. */
export function toPlan(crew: Crew, audience?: Audience): Plan {
  const roles = new Map<string, Role>();
  for (const agent of crew.agents.values()) {
    roles.set(agent.id, toRole(audience === undefined ? agent : { ...agent, audience }, crew));
  }
  const subs = new Map(Array.from(crew.subCrews, ([name, sub]) => [name, toPlan(sub, audience)]));
  let inner: Plan | undefined;
  return {
    crew,
    roles,
    speakers: toSpeakers(crew),
    subs,
    get inner() {
      return audience === "crew" ? this : (inner ??= toPlan(crew, "crew"));
    },
  };
}

function toRole(agent: Agent, crew: Crew): Role {
  const tools = new Map<string, Tool>();
  const children = new Map(agent.children.map((child) => [child.as, child]));
  for (const name of new Set([...agent.tools, ...agent.pinnedTools])) {
    const child = children.get(name);
    const tool = child === undefined ? crew.tools.get(name) : toChildTool(crew, child);
    if (tool !== undefined) tools.set(name, tool);
  }
  if (agent.toolSearch !== false) tools.set(SEARCH, crew.tools.get(SEARCH) ?? toSearchTool([...tools.values()]));
  const toolSpecs = freezeDeep(Array.from(tools.values(), toSpec));
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
    children,
    toolSpecs,
    specs: new Map(toolSpecs.map((spec) => [spec.name, spec])),
    matcher: compileSignals(
      signalRoutes.map(({ signal = "" }) => signal),
      crew.behaviors.get(agent.id)?.signalPosition ?? crew.settings.signalPosition,
    ),
    signalRoutes,
  };
}

const toSpec = ({ name, description, inputSchema }: Tool): ToolSpec => ({ name, description, inputSchema });
