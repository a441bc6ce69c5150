/**
 * Harness: what the tests of this package share.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { BatonError, type Chunk, type Model, type Prompt } from "@baton/core";
import { NO_RECORDED_CALLS, Scope, SystemClock } from "@baton/core/ports";

/** A prompt of which only some parts matter. */
export function toPrompt(parts: Partial<Prompt> = {}): Prompt {
  return {
    run: "r",
    agent: "clerk",
    system: "Be brief.",
    messages: [{ role: "user", content: "Hello" }],
    tools: [],
    attempt: 1,
    attempts: 4,
    values: new Map(),
    results: [],
    ...NO_RECORDED_CALLS,
    ...parts,
  };
}

/** All chunks of one reply; what it failed with, if it did. */
export interface Heard {
  readonly batches: readonly (readonly Chunk[])[];
  readonly chunks: readonly Chunk[];
  readonly text: string;
  readonly error?: BatonError;
}

/** Reads a reply to its end. */
export async function hear(model: Model, prompt: Prompt = toPrompt(), scope = newScope()): Promise<Heard> {
  const batches: (readonly Chunk[])[] = [];
  const toHeard = (): Heard => {
    const chunks = batches.flat();
    return { batches, chunks, text: chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("") };
  };
  try {
    for await (const batch of model.stream(prompt, scope)) batches.push(batch);
    return toHeard();
  } catch (error) {
    if (error instanceof BatonError) return { ...toHeard(), error };
    throw error;
  }
}

/** A scope by the machine's clock. */
export const newScope = (): Scope => Scope.root({ clock: new SystemClock() });

/** A server on this machine, until it is disposed of. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server that answers with this handler. */
export async function serve(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestServer> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** A model that gives these chunks, each in a batch of its own, and then fails if an error is given. */
export function fakeModel(
  name: string,
  reply: (prompt: Prompt) => { readonly chunks?: readonly Chunk[]; readonly error?: BatonError },
): Model {
  return {
    name,
    async *stream(prompt): AsyncGenerator<readonly Chunk[]> {
      const { chunks = [], error } = reply(prompt);
      for (const chunk of chunks) yield [chunk];
      if (error !== undefined) throw error;
    },
  };
}

/** Text, and an end. */
export const say = (text: string): readonly Chunk[] => [
  { type: "text", text },
  { type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } },
];
