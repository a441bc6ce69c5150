/**
 * Local models: what an Ollama on this machine has, if one answers.
 *
 * It is asked once, and has 300 ms: a machine without one must not make a run wait. Models that only embed text and
 * models that run elsewhere are left out.
 */
import { type Clock, SystemClock } from "@baton/core/ports";
import { isRecord } from "../json.ts";
import { type Environment, findKey } from "./provider-keys.ts";
import { toOllamaUrl } from "../providers/ollama/ollama-url.ts";

/** The models of an Ollama that answers. */
export interface LocalModels {
  readonly url: string;
  /** Its smallest model, and its largest, by their size on disk. */
  readonly small: string;
  readonly large: string;
}

const LIMIT_MS = 300;

/** Asks the Ollama at its usual address, or at `OLLAMA_HOST`; undefined if none answers in time or it has no model. */
export async function findLocalModels(
  env: Environment,
  clock: Clock = new SystemClock(),
): Promise<LocalModels | undefined> {
  const url = toOllamaUrl(env["OLLAMA_HOST"]);
  const key = findKey("ollama", env)?.key;
  const aborting = new AbortController();
  const timer = clock.after(LIMIT_MS, () => aborting.abort());
  try {
    const response = await fetch(`${url}/api/tags`, {
      signal: aborting.signal,
      // A key must not follow to another host.
      redirect: "error",
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    return toLocal(url, await response.json());
  } catch {
    // Nothing listens there, or something that is not an Ollama.
    return undefined;
  } finally {
    timer.cancel();
  }
}

function toLocal(url: string, answer: unknown): LocalModels | undefined {
  const listed: readonly unknown[] = isRecord(answer) && Array.isArray(answer["models"]) ? answer["models"] : [];
  const models = listed.flatMap(parseModel).toSorted((a, b) => a.size - b.size || (a.name < b.name ? -1 : 1));
  const [small, large] = [models[0]?.name, models.at(-1)?.name];
  return small === undefined || large === undefined ? undefined : { url, small, large };
}

function parseModel(model: unknown): { readonly name: string; readonly size: number }[] {
  if (!isRecord(model) || model["remote_host"] !== undefined) return [];
  const { name, size, details } = model;
  if (typeof name !== "string" || typeof size !== "number") return [];
  const family = isRecord(details) && typeof details["family"] === "string" ? details["family"] : "";
  return name.includes("embed") || family.includes("bert") ? [] : [{ name, size }];
}
