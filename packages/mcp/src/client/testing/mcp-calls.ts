/**
 * MCP calls of tests: a server's tools locked as they are, and one call of a tool by a crew.
 */
import { join } from "node:path";
import {
  defineCrew,
  defineProgram,
  type Effect,
  Engine,
  type Json,
  type Run,
  type RunEvent,
  type RunResult,
} from "@baton/core";
import { type Documents, noDocuments } from "@baton/core/ports";
import type { McpLock, McpServer } from "@baton/crewfile/mcp";
import { inspectServer, toLockedServer } from "../inspect-server.ts";
import { McpHost } from "../mcp-host.ts";
import { mcpTools } from "../mcp-tools.ts";

/** The name of the only server. */
export const SERVER = "it";

/** A server that is a program of this folder. */
export function programOf(file: string, ...words: readonly string[]): McpServer {
  return { command: [process.execPath, "--no-warnings", join(import.meta.dirname, file), ...words] };
}

/** What a caller without documents is. */
export const CALLER = { tenant: "local", user: "local", documents: noDocuments("this test has none") };

/** The lock of a server as it is now. */
export async function lockOf(server: McpServer, host = new McpHost()): Promise<McpLock> {
  const inspected = await inspectServer({ host, name: SERVER, server, caller: CALLER });
  return { version: 1, servers: { [SERVER]: toLockedServer(server, inspected) } };
}

/** A call: the tool by its own name, and answers to questions by their names. */
export interface TestCall {
  readonly server: McpServer;
  readonly lock: McpLock;
  readonly host: McpHost;
  readonly tool: string;
  readonly args?: Json;
  readonly effect?: Effect;
  readonly answers?: Readonly<Record<string, Json>>;
  readonly documents?: Documents;
  readonly onRun?: (run: Run) => void;
}

/** What became of a call. */
export interface CalledTool {
  readonly events: readonly RunEvent[];
  readonly result: RunResult;
  readonly output: Json | undefined;
  /** The kind and the message of its failure. */
  readonly error: string | undefined;
  readonly warnings: readonly string[];
}

/** Calls a tool once, by a crew whose only agent is a program. */
export async function callOnce(call: TestCall): Promise<CalledTool> {
  const { server, lock, host, tool, args = {}, effect = "read", answers = {}, documents } = call;
  const name = `${SERVER}__${tool}`;
  const program = defineProgram(({ results }) =>
    results.length === 0 ? { call: [{ tool: name, args }] } : { say: "done", end: true },
  );
  const crew = defineCrew({
    name: "calls",
    agents: [{ id: "a", model: { name: "code/call" }, tools: [name], isTerminal: true }],
    tools: mcpTools({ [SERVER]: { ...server, tools: { "*": effect } } }, lock, host),
    programs: new Map([["call", program]]),
    permissions: new Map([["*", "allow"]]),
  });
  const given = documents === undefined ? {} : { documents: () => documents };
  await using engine = new Engine({ model: () => program, ...given });
  const run = engine.start(crew, { input: "go" });
  call.onRun?.(run);
  for (;;) {
    const result = await run.result;
    const open = result.questions.flatMap(({ question }) => {
      const value = answers[question.slice(question.lastIndexOf("/") + 1)];
      return value === undefined ? [] : [{ question, value }];
    });
    if (result.outcome !== "paused" || open.length === 0) return toCalled(await Array.fromAsync(run.events()), result);
    for (const { question, value } of open) await run.answer(question, value);
  }
}

function toCalled(events: readonly RunEvent[], result: RunResult): CalledTool {
  const ended = events.findLast((event) => event.type === "call.ended");
  const { output, error } = ended ?? {};
  const warnings = events.flatMap((event) => (event.type === "warning.raised" ? [event.text] : []));
  return { events, result, output, error: error && `${error.kind}: ${error.message}`, warnings };
}
