/**
 * Lane: one line of work in a run, its own or a group member's, and what all lanes of a run share.
 */
import type { Agent } from "../definitions/agent.ts";
import type { Crew } from "../definitions/definition.ts";
import type { FinishedCall } from "../ports/call-log.ts";
import type { Documents } from "../ports/document.ts";
import type { Configure, Identity, RunLimits } from "../words/event.ts";
import type { Host } from "../ports/host.ts";
import type { Json } from "../words/json.ts";
import type { Message } from "../words/message.ts";
import type { Model } from "../ports/model.ts";
import type { Plan, Role } from "./plan.ts";
import type { TurnEnd } from "./progress.ts";
import { backoffMs } from "../lifetimes/retry.ts";
import type { Semaphore } from "../lifetimes/semaphore.ts";
import type { Tool } from "../definitions/tool.ts";

/** Returns the semaphores that a call needs a permit of: the tool's if it is `limited`, the run's, the engine's. */
export type Permits = (tool: Tool) => readonly Semaphore[];

/** Everything that all lanes of one run share. */
export interface Shared {
  /** The model of an agent; of one that was configured, with another `model` than the crew's. */
  readonly model: (agent: Agent, crew: Crew) => Model;
  /** Returns the model that replaces a program in a test. */
  readonly replaceProgram: ((agent: Agent, crew: Crew) => Model | undefined) | undefined;
  /** The model that the caller chose for agents that write for the user. */
  readonly userModel: string | undefined;
  readonly permits: Permits;
  /** Limits that the caller of the run set. */
  readonly limits: RunLimits | undefined;
  /** Everything that tools are told of the caller of the run; undefined if there is nothing. */
  readonly caller: (Identity & { readonly request?: string }) | undefined;
  /** Tenant, user and session of the run. */
  readonly identity: Identity;
  /** Documents of that user. */
  readonly documents: Documents;
  /** State that each agent's model wants back, by the agent's path. */
  readonly modelStates: Map<string, Json>;
  /** Configurations so far, in order. */
  readonly configured: readonly Configure[];
  /** Works in the lane of a child to its end. */
  readonly runChild: (lane: Lane, child: Child) => Promise<TurnEnd>;
}

/** An agent that makes one turn, or a crew that runs to its end, in a lane of its own. */
export type Child =
  | { readonly kind: "agent"; readonly role: Role }
  | { readonly kind: "crew"; readonly id: string; readonly plan: Plan };

/** One line of work. */
export interface Lane {
  readonly plan: Plan;
  readonly host: Host;
  readonly shared: Shared;
  readonly history: Message[];
  /** Number of messages of the history that were there before the run. */
  readonly before: number;
  /** Number of its messages that are known to be frozen. */
  frozen?: number;
  /** The setting that ends its time, if that is not the run's `timeout_seconds`. */
  readonly timeSetting?: string;
  /** Names of the crews that it is in, as a prefix: `alpha/`, or nothing. */
  readonly path: string;
  /** It is one turn of an agent, whose signals are not followed. */
  readonly isChild?: true;
  /** Number of children and crews that it is inside of. */
  readonly depth: number;
}

/** Parts that a child's lane has of its own. */
type ChildParts = Pick<Lane, "host" | "history" | "timeSetting">;

/** The agent or crew that a name stands for among the children of a lane. */
export function findChild({ plan: { inner } }: Lane, name: string): Child | undefined {
  const [role, plan] = [inner.roles.get(name), inner.subs.get(name)];
  if (role !== undefined) return { kind: "agent", role };
  return plan === undefined ? undefined : { kind: "crew", id: name, plan };
}

/** The lane of a child: it sees nothing of the lane that it is called from, and its models begin anew. */
export function toChildLane(lane: Lane, child: Child, parts: ChildParts): Lane {
  const [plan, path] = child.kind === "crew" ? [child.plan, `${lane.path}${child.id}/`] : [lane.plan.inner, lane.path];
  const shared = { ...lane.shared, modelStates: new Map<string, Json>() };
  return { plan, path, shared, before: 0, depth: lane.depth + 1, ...parts };
}

/** The irreversible calls of an agent's turn that had succeeded when a step or call of that turn started. */
export function findDone({ host }: Lane, { agent, tools }: Role, key: string): FinishedCall[] {
  const [turn = ""] = key.split(/\.\d+(?:\.\d+)?$/u);
  const isOwn = (call: FinishedCall) => call.agent === agent.id && call.call.startsWith(`${turn}.`);
  const finished = host.finishedCalls(key).list;
  return finished.filter((call) => call.ok && isOwn(call) && tools.get(call.tool)?.effect === "irreversible");
}

/** Returns the delay before a tool or a model is tried again; attempt 1 is the first. */
export function toDelayMs({ plan, host }: Lane, what: "tool" | "model", attempt: number): number {
  const { retryMinMs, retryMaxMs, modelRetryMinMs, modelRetryMaxMs } = plan.crew.settings;
  const limits =
    what === "tool"
      ? { minMs: retryMinMs, maxMs: retryMaxMs, leastShare: 0 }
      : { minMs: modelRetryMinMs, maxMs: modelRetryMaxMs, leastShare: 0.5 };
  return backoffMs(attempt, limits, () => host.scope.clock.random());
}
