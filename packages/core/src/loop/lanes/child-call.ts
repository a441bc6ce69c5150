/**
 * Child call: a call that an agent or a crew carries out, in a lane of its own.
 *
 * What it says, does and asks are facts of that lane. It holds no permit of tool calls, and neither the tool's nor the
 * reply's time holds for it. If it fails, the caller reads why; a limit of the run ends the run.
 */
import { isCancelled, type OpenCall, type Ready, toCancelled } from "../attempt.ts";
import type { ChildTool } from "../../definitions/agent.ts";
import { BatonError, type Failure, failure, toFailure } from "../../words/error.ts";
import type { EventBodyOf } from "../../words/event.ts";
import { omitUndefined } from "../../words/json.ts";
import { type Child, findChild, type Lane, toChildLane } from "../../views/lane.ts";
import { toChildMessage, toVia } from "../../views/child-tool.ts";
import { boundOutput } from "../../words/output.ts";
import { LOST, type TurnEnd, toUnstarted } from "../../views/progress.ts";
import { toSeconds } from "../../words/text.ts";

type Ended = EventBodyOf<"call.ended">;
type Stopped = Extract<TurnEnd, { kind: "stopped" }>;

/** Limits that a crew reaches by itself: its caller reads of them. */
const OWN_LIMITS: readonly (string | undefined)[] = ["max_handoffs", "max_items"];

/** Lets a child carry a call out; `waiting` if something in it waits for a person. */
export async function callChild(lane: Lane, open: OpenCall, ready: Ready): Promise<Ended | "waiting"> {
  const { request, role } = open;
  const { id: call, tool } = request;
  const named = role.children.get(tool);
  const child = named && findChild(lane, "agent" in named ? named.agent : named.crew);
  const base = { type: "call.ended", call, agent: role.agent.id, tool } as const;
  const end =
    named === undefined || child === undefined
      ? LOST
      : lane.depth >= lane.plan.crew.settings.maxDepth
        ? toTooDeep(lane, tool)
        : await work(lane, open, { named, child, ready });
  if (end.kind === "waiting") return "waiting";
  return lane.host.once({
    type: "call.ended",
    key: call,
    effect: "read",
    isPure: true,
    work: async () => {
      if (end.kind === "stopped") return { ...base, attempts: 1, error: toError(lane, open, end) };
      const bounded = boundOutput(end.output ?? end.content ?? end.text);
      if (!bounded.ok) return { ...base, attempts: 1, error: failure("crash", bounded.why) };
      return { ...base, attempts: 1, output: bounded.output, ...omitUndefined({ wholeChars: bounded.wholeChars }) };
    },
    failed: (error) => ({ ...base, attempts: 0, error: toFailure(error) }),
  });
}

type Working = Readonly<{ named: ChildTool; child: Child; ready: Ready }>;

async function work(lane: Lane, open: OpenCall, { named, child, ready }: Working): Promise<TurnEnd> {
  const { request, sequence, scope } = open;
  const own = child.kind === "crew" ? child.plan.crew.settings.timeoutMs : Infinity;
  const timeoutMs = Math.min(named.timeoutMs ?? Infinity, own);
  const setting = timeoutMs === named.timeoutMs ? `the timeout_seconds of ${named.as}` : "timeout_seconds";
  const time = timeoutMs < scope.remainingMs ? { timeSetting: setting } : {};
  const message = await toChildMessage(lane.plan.crew, named, ready.args);
  const { results } = await lane.host.lanes<TurnEnd>(
    {
      keys: [toVia(request.id, named)?.lane ?? ""],
      timeoutMs,
      scope,
      late: () => new BatonError("timeout", `${named.as} took longer than ${toSeconds(timeoutMs)} (${setting})`),
      isDecisive: () => false,
      bound: { permits: sequence.children, owner: request.id, unstarted: (_, reason) => toUnstarted(reason) },
    },
    (host) => lane.shared.runChild(toChildLane(lane, child, { host, history: [message], ...time }), child),
  );
  return results[0] ?? LOST;
}

function toTooDeep({ plan }: Lane, tool: string): Stopped {
  const message = `${tool} was not called: max_depth is ${plan.crew.settings.maxDepth}`;
  return { kind: "stopped", error: { code: "invalid", message }, text: "" };
}

/** Of a child that did not answer: why, as its caller reads it, or what ends the caller too. */
function toError(lane: Lane, open: OpenCall, { error }: Stopped): Failure {
  const { code, message, limit } = error;
  if (isCancelled(lane, open)) return toCancelled(open);
  if (code === "cancelled" && error.lane === undefined) return error;
  if (code === "cancelled") return failure("cancelled", `${open.request.tool} was cancelled: ${message}`);
  if (code === "limit" && !OWN_LIMITS.includes(limit?.name)) return error;
  return failure(code === "timeout" ? "timeout" : "permanent", message);
}
