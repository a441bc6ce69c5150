/**
 * Wire: the requests that providers are sent, as a server of theirs sees them.
 */
import assert from "node:assert/strict";
import type { Prompt } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { isRecord } from "../json.ts";
import { ModelRegistry } from "../choice/model-registry.ts";
import { failureOf } from "../providers/failure.ts";
import { hear, serve, toPrompt } from "./harness.ts";

/** A request body, or a part of it. */
export type WireBody = { readonly [key: string]: unknown };

/** A provider that refuses every request; `send` gives the body of the request that a prompt becomes. */
export interface WireServer extends AsyncDisposable {
  readonly send: (model: string, prompt?: Partial<Prompt>) => Promise<WireBody>;
}

/** Starts the server. */
export async function openWire(): Promise<WireServer> {
  let sent: WireBody = {};
  const server = await serve((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => (text += piece));
    request.on("end", () => {
      const body = parseJson(text);
      sent = isRecord(body) ? body : {};
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"seen"}}');
    });
  });
  const keys = new Map(["openai", "openai-chat", "anthropic", "google"].map((name) => [name, "k"]));
  const models = new ModelRegistry({ keys });
  return {
    send: async (name, prompt = {}) => {
      const { error } = await hear(models.resolve({ name, url: `${server.url}/v1` }), toPrompt(prompt));
      assert.equal(failureOf(error)?.status, 400, error?.message);
      return sent;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The value at a path of keys and indexes. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((found, key) => {
    if (Array.isArray(found) && typeof key === "number") return found.at(key);
    return isRecord(found) ? found[key] : undefined;
  }, value);
}
