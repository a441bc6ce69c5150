/**
 * Simulated server: a channel server whose time passes only when a test lets it.
 */
import assert from "node:assert/strict";
import { SimulatedClock } from "@baton/core/testing";
import { type BotPlatform, type ChannelServerOptions, type Scripted, startBotServer } from "./channel-server.ts";
import { LocalPlatform } from "./local-platform.ts";

const LONGEST_MS = 600_000;

/** Starts it on Telegram. */
export function startChannelServer(scripted: Scripted, options: Partial<SimulatedOptions<LocalPlatform>> = {}) {
  return startSimulatedServer(scripted, { platform: new LocalPlatform(), ...options });
}

/** Options of a simulated server. Two servers may share a clock. */
export interface SimulatedOptions<Platform extends BotPlatform> extends ChannelServerOptions<Platform> {
  readonly clock?: SimulatedClock;
}

/** Starts it. */
export async function startSimulatedServer<Platform extends BotPlatform>(
  scripted: Scripted,
  options: SimulatedOptions<Platform>,
) {
  const { clock = new SimulatedClock(1) } = options;
  const server = await clock.run(startBotServer(scripted, { ...options, clock }));
  const read = async (path: string, init?: RequestInit) => {
    const answer = await fetch(server.url + path, init);
    return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
  };
  return {
    ...server,
    clock,
    /** Lets time pass until it fits. Short steps leave work outside of the clock enough of them. */
    until: async (fits: () => boolean, stepMs = 1_000): Promise<void> => {
      for (let passedMs = 0; !fits(); passedMs += stepMs) {
        assert.ok(passedMs < LONGEST_MS, "it did not happen within ten minutes");
        await clock.advance(stepMs);
      }
    },
    /** Sends a request to the server. */
    request: (path: string, init?: RequestInit) => clock.run(read(path, init)),
    view: async () => (await clock.run(read("/api/channels"))).body.toString(),
    [Symbol.asyncDispose]: () => clock.run(server[Symbol.asyncDispose]()),
  };
}
