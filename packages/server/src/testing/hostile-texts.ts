/**
 * Hostile texts: user texts of 10,000 characters that are slow for careless parsers.
 */
import { openHandler } from "../handler.ts";
import { RELAY, WAITS } from "./crews.ts";
import { toModels, toServed } from "./test-server.ts";
import { TurnMonitor } from "./turn-monitor.ts";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";

const LENGTH = 10_000;

/** The pieces that are repeated. */
const PIECES = [
  ..."[]()\"'`{}<>*_#|\\/-+=~^&%$@!?.,:;".split(""),
  "[A",
  "[A]",
  "[[",
  "]]",
  "[ ",
  "a\u0301",
  "\u0301\u0323",
  "\u0f39\u3099",
  "> ",
  "```\n",
  "`a",
  "Tool(",
  "Tool(a, ",
  "{{",
  "{{state.a",
  '{"a":',
  "\n",
  "\t",
  "🎉",
  "각",
  "http://a",
  "data:image/png;base64,",
  "a ",
  '"a ',
  "[first] ",
  "1. ",
  "ſ",
  "İ",
] as const;

/** Each piece, repeated. */
export const HOSTILE_TEXTS: readonly string[] = PIECES.map((piece) => toLength(piece));

function toLength(piece: string): string {
  const characters = Array.from(piece.repeat(Math.ceil(LENGTH / Array.from(piece).length)));
  // White space alone is no input.
  return `a${characters.slice(0, LENGTH - 1).join("")}`;
}

function beginOf(text: string, length: number): string {
  return Array.from(text).slice(0, length).join("");
}

/** Bodies of 8 MB in JSON. */
export const HOSTILE_BODIES: readonly (readonly [name: string, body: () => string])[] = [
  ["many keys", () => `{${Array.from({ length: 680_000 }, (_, n) => `"k${n}":1`).join(",")}}`],
  ["a long list", () => `{"input":"a","x":[${"1,".repeat(4_000_000)}1]}`],
  ["deep lists", () => `{"input":"a","x":${"[".repeat(4_000_000)}`],
  ["many objects", () => `{"input":"a","x":[${"{},".repeat(2_600_000)}{}]}`],
  ["one long text", () => `{"input":"${"a".repeat(8_000_000)}"}`],
  ["escapes", () => `{"input":"${"\\u0061".repeat(1_300_000)}"}`],
  ["the same key", () => `{${'"a":1,'.repeat(1_300_000)}"a":1}`],
];

/** A request with a text, for each route that takes one. */
export const TEXT_ROUTES: readonly (readonly [name: string, request: (text: string) => Request])[] = [
  ["runs", (input) => post("/api/runs", { input, crew: "relay" }, { Prefer: "wait" })],
  ["session of a run", (input) => post("/api/runs", { input, crew: "waits", session_id: "one" }, { Prefer: "wait" })],
  ["crew stream", (query) => post("/api/crew/stream", { query, crew: "relay" })],
  ["crew stream by GET", (q) => new Request(`${ORIGIN}/api/crew/stream?crew=relay&q=${encodeURIComponent(q)}`)],
  ["history", (content) => post("/api/crew/stream", { query: "a", history: [{ role: "user", content }] })],
  [
    "chat completions",
    (content) => post("/v1/chat/completions", { model: "relay", messages: [{ role: "user", content }] }),
  ],
  ["responses", (input) => post("/v1/responses", { model: "relay", input })],
  [
    "ui chat",
    (text) => post("/api/chat", { id: "c", messages: [{ id: "m", role: "user", parts: [{ type: "text", text }] }] }),
  ],
  [
    "agui",
    (content) =>
      post("/api/agui", {
        threadId: "t",
        runId: "r",
        messages: [{ id: "m", role: "user", content }],
        tools: [],
        context: [],
        state: {},
        forwardedProps: {},
      }),
  ],
  ["search", (q) => new Request(`${ORIGIN}/api/runs?q=${encodeURIComponent(beginOf(q, 1_000))}`)],
  ["search of sessions", (q) => new Request(`${ORIGIN}/api/sessions?q=${encodeURIComponent(beginOf(q, 1_000))}`)],
  ["title", (text) => send("PATCH", "/api/sessions/one", { title: beginOf(text, 100) })],
  ["comment", (text) => send("PUT", "/api/runs/nobody/feedback", { rating: "up", comment: beginOf(text, 1_000) })],
  ["command", (text) => post("/api/runs/nobody/commands", { type: "say", text })],
];

const ORIGIN = "http://localhost";

/** Posts JSON, as text if it is text already. */
export function post(path: string, body: object | string, headers: Record<string, string> = {}): Request {
  return send("POST", path, body, headers);
}

function send(
  ...[method, path, body, headers = {}]: [string, string, object | string, Record<string, string>?]
): Request {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Request(ORIGIN + path, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    body: text,
  });
}

/** A server that counts the CPU time of each turn while it answers. */
export async function openMonitored() {
  const store = await Store.open({ database: openMemory() });
  const scripted = [RELAY, WAITS];
  const crews = scripted.map(({ crew }) => toServed(crew));
  const handler = await openHandler({ store, crews, model: toModels(scripted), logLevel: "silent", graceMs: 0 });
  const monitor = new TurnMonitor();
  return {
    /** The most CPU time of a turn, in milliseconds, and the status. */
    async measure(request: Request): Promise<{ readonly maxMs: number; readonly status: number }> {
      await new Promise(setImmediate);
      monitor.reset();
      const answer = await handler.fetch(request);
      await answer.text();
      await new Promise(setImmediate);
      return { maxMs: monitor.maxMs, status: answer.status };
    },
    async [Symbol.asyncDispose](): Promise<void> {
      monitor[Symbol.dispose]();
      await handler.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}
