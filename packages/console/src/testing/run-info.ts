/**
 * Runs for tests of lists.
 */
import type { RunInfo } from "@baton/client";

/** A run as the server lists it. */
export function runInfo(id: string, more: Partial<RunInfo> = {}): RunInfo {
  return {
    id,
    short_id: `req-${id}`,
    crew: "hello",
    user: "local",
    status: "running",
    input: "Hello",
    agent: "greeter",
    agent_calls: 1,
    tool_calls: 0,
    rounds: 1,
    tokens: { input: 1, output: 1, total: 2, cached: 0, cache_write: 0 },
    cost_usd: 0,
    questions: [],
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    duration_ms: 0,
    links: { self: "", events: "", commands: "" },
    ...more,
  };
}
