/**
 * Tool time: how long a tool may take, and the setting that says so.
 */
import type { Clock } from "../lifetimes/clock.ts";
import type { Settings } from "./limits.ts";
import type { Tool } from "./tool.ts";

/** Time of the reply that is left when a tool must be done. */
const RESERVE_MS = 500;
const LEAST_MS = 100;

/** Tells how much is left of a tool's own time, which begins now: for the whole call, or anew for each attempt. */
export function toOwnTime({ toolTimeoutMs, toolTimeoutCovers }: Settings, tool: Tool, clock: Clock): () => number {
  const { timeoutMs: ownMs = toolTimeoutMs, timeoutCovers = toolTimeoutCovers } = tool;
  const endsAt = clock.monotonic() + ownMs;
  return () => (timeoutCovers === "call" ? endsAt - clock.monotonic() : ownMs);
}

/** Time that an attempt has: of its tool, of the calls of its reply or code, and of its lane. */
export type AttemptTime = Readonly<{
  ownMs: number;
  replyMs: number;
  replySetting: string;
  laneMs: number;
  laneSetting?: string | undefined;
}>;

/** Time limit of an attempt, the setting it comes from, and its value there. */
export type ToolLimit = Readonly<{ ms: number; setting: string; saidMs: number }>;

/** Returns the time limit of an attempt: the tool's own, or what is left of its reply but a reserve. */
export function toToolLimit(tool: Tool, { toolTimeoutMs }: Settings, time: AttemptTime): ToolLimit {
  const { ownMs, replyMs, replySetting, laneMs, laneSetting = "timeout_seconds" } = time;
  const ms = Math.max(LEAST_MS, Math.min(ownMs, replyMs - RESERVE_MS));
  const beyond = laneMs <= replyMs ? laneSetting : replySetting;
  if (ownMs > replyMs - RESERVE_MS) return { ms, setting: beyond, saidMs: ms };
  const setting = tool.timeoutMs === undefined ? "tool_execution_timeout_seconds" : "the tool's timeoutMs";
  return { ms, setting, saidMs: Math.max(LEAST_MS, tool.timeoutMs ?? toolTimeoutMs) };
}
