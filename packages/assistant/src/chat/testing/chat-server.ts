/**
 * Chat server: a real server on a free port with chat assistants whose language models follow scripts.
 *
 * Ends with everything it opened when it is disposed of.
 */
import { type Crew, type Model, scriptModel } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import type { Replies } from "@baton/core/testing";
import { KeyRing, type KeyScope, type ServerOptions, startServer } from "@baton/server";
import { type Database, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { defineAssistant } from "../assistant.ts";
import { parseFrame, type ReadFrame } from "./chat-frames.ts";

/** The route's two names. */
export const PATHS = ["/api/v2/chat-assistant/chat/v4", "/api/v2/chat"] as const;

/** Options of a test's server. */
export interface ChatServerOptions extends Partial<Omit<ServerOptions, "store" | "crews" | "model">> {
  readonly crew: Crew;
  readonly replies?: Replies;
  readonly model?: () => Model;
  readonly database?: Database;
}

/** A server of a test. */
export interface ChatServer extends AsyncDisposable {
  readonly url: string;
  readonly store: Store;
  readonly stop: () => Promise<void>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** Starts it on 127.0.0.1. */
export async function startChatServer(options: ChatServerOptions): Promise<ChatServer> {
  const { crew, replies = {}, model, database = openMemory(), ...more } = options;
  const store = await Store.open({ database });
  const { routes, dialects } = defineAssistant({ disclaimer: { en: "not advice" } });
  const server = await startServer({
    store,
    crews: [{ id: crew.name, crew, findings: [] }],
    model: model ?? (() => scriptModel(replies)),
    routes,
    dialects,
    port: 0,
    graceMs: 0,
    logLevel: "silent",
    ...more,
  });
  const { url } = server;
  return {
    url,
    store,
    stop: () => server.stop(),
    get: (path, headers = {}) => fetch(url + path, { headers }),
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** The header of a new key; a server that runs already would need a moment to know of it. */
export async function makeKey(
  database: Database,
  user: string,
  plan?: "free" | "premium",
): Promise<Record<string, string>> {
  const ring = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  const scopes: readonly KeyScope[] = ["run", "read"];
  const { key } = await ring.create("acme", scopes, { user, ...(plan === undefined ? {} : { plan }) });
  return { Authorization: `Bearer ${key}` };
}

/** A frame with its id; `[DONE]` is one with the type `[DONE]`. */
export type SentFrame = Readonly<{ id: string | undefined; frame: ReadFrame }>;

/** The frames of an answer, or of what there is of it. */
export function parseSent(text: string): readonly SentFrame[] {
  return text
    .split("\n\n")
    .slice(0, -1)
    .flatMap((block) => {
      const lines = block.split("\n");
      const valueOf = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = valueOf("data");
      if (data === undefined) return [];
      return [{ id: valueOf("id"), frame: data === "[DONE]" ? { type: data } : parseFrame(data) }];
    });
}
