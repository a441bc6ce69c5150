/**
 * Cassette player: answers calls as they were recorded, in their order; the last answer repeats.
 */
import type { Json } from "@baton/core";
import { toCanonicalJson } from "@baton/core/util";
import type { Cassette, RecordedMcpCall } from "./cassette.ts";

/** Plays the calls of a cassette. */
export class CassettePlayer {
  readonly #calls = new Map<string, RecordedMcpCall[]>();

  constructor({ servers }: Cassette) {
    for (const [server, { calls }] of Object.entries(servers)) {
      for (const call of calls) {
        const key = toKey(server, call.tool, call.args);
        this.#calls.set(key, [...(this.#calls.get(key) ?? []), call]);
      }
    }
  }

  /** The next recorded answer; undefined if there is none. */
  next(server: string, tool: string, args: Json): RecordedMcpCall | undefined {
    const calls = this.#calls.get(toKey(server, tool, args));
    return calls !== undefined && calls.length > 1 ? calls.shift() : calls?.[0];
  }
}

function toKey(server: string, tool: string, args: Json): string {
  return JSON.stringify([server, tool, toCanonicalJson(args)]);
}
