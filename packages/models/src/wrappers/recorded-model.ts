/**
 * Recorded model: real calls of a model kept in a file, and played back chunk for chunk.
 *
 * One line of JSON a call: what was asked (as a hash), and every batch of chunks of the answer, or its error. The same
 * question asked again gets the next recording of it. A question that was never recorded is an error.
 */
import { createHash } from "node:crypto";
import { appendFile, readFile } from "node:fs/promises";
import { BatonError, type Chunk, type Json, type Model, type Prompt } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { isJsonObject, type JsonObject } from "../json.ts";

interface Take {
  readonly key: string;
  readonly model: string;
  readonly agent: string;
  readonly batches: readonly (readonly Chunk[])[];
  readonly error?: { readonly message: string; readonly retryable: boolean };
}

/** The model, with every call that ends, well or badly, added to the file. */
export function recordModel(model: Model, path: string): Model {
  return {
    ...model,
    async *stream(prompt, scope): AsyncGenerator<readonly Chunk[]> {
      const batches: (readonly Chunk[])[] = [];
      const keep = (error?: Take["error"]): Promise<void> => {
        const take: Take = {
          key: toKey(prompt),
          model: model.name,
          agent: prompt.agent,
          batches,
          ...(error && { error }),
        };
        return appendFile(path, `${JSON.stringify(take)}\n`);
      };
      try {
        for await (const chunks of model.stream(prompt, scope)) {
          batches.push(chunks);
          yield chunks;
        }
      } catch (thrown) {
        if (thrown instanceof BatonError && thrown.code === "model") {
          await keep({ message: thrown.message, retryable: thrown.retryable });
        }
        throw thrown;
      }
      await keep();
    },
  };
}

/** A model that plays a file back; throws if the file cannot be read. */
export async function replayModel(path: string): Promise<Model> {
  const takes = new Map<string, Take[]>();
  let name = "replay";
  const lines = (await readFile(path, "utf8")).split("\n");
  lines.forEach((line, index) => {
    if (line.trim() === "") return;
    const take = parseJson(line);
    if (!isTake(take)) throw new BatonError("invalid", `${path}, line ${index + 1}: not a recorded call`);
    name = take.model;
    const same = takes.get(take.key);
    if (same === undefined) takes.set(take.key, [take]);
    else same.push(take);
  });
  const played = new Map<string, number>();
  return {
    name,
    async *stream(prompt): AsyncGenerator<readonly Chunk[]> {
      const key = toKey(prompt);
      const recorded = takes.get(key) ?? [];
      const turn = played.get(key) ?? 0;
      played.set(key, turn + 1);
      const take = recorded[Math.min(turn, recorded.length - 1)];
      if (take === undefined) throw toMiss(prompt, path);
      yield* take.batches;
      if (take.error !== undefined)
        throw new BatonError("model", take.error.message, { retryable: take.error.retryable });
    },
  };
}

/** Fields of a prompt that a language model does not see. */
const UNTOLD: ReadonlySet<string> = new Set([
  "run",
  "limits",
  "tenant",
  "user",
  "session",
  "values",
  "results",
  "cacheKey",
  "promptCache",
  "maxChars",
  "isBackup",
]);

/** Two questions are the same if the model sees the same. The run and the number of tries do not count. */
function toKey(prompt: Prompt): string {
  const told = Object.entries(prompt).filter(([name]) => !UNTOLD.has(name));
  const question = { ...Object.fromEntries(told), attempt: 1 };
  return createHash("sha256")
    .update(JSON.stringify(sort(question)))
    .digest("base64url");
}

/** The same value with every object's keys in order. */
function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => sort(item));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sort(item)]));
}

function toMiss({ agent, messages }: Prompt, path: string): BatonError {
  const latest = (messages.at(-1)?.content ?? "").slice(0, 80).toWellFormed();
  return new BatonError("model", `${path} has no recorded reply for what agent "${agent}" was asked: ${latest}`);
}

function isTake(value: Json | undefined): value is JsonObject & Take {
  if (!isJsonObject(value)) return false;
  const { key, model, batches } = value;
  return typeof key === "string" && typeof model === "string" && Array.isArray(batches);
}
