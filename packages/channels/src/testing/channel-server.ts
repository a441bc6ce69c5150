/**
 * Channel server: a server of a test with one bot channel on a local platform.
 */
import { type Crew, scriptModel } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { startServer } from "@baton/server";
import type { Dialect } from "@baton/server/mount";
import { Store } from "@baton/store";
import { openLasting } from "@baton/store/testing";
import { defineChannels } from "../channels.ts";
import { readChannels } from "../config.ts";
import type { PlatformCall } from "./local-platform.ts";

/** The secret of a signed webhook. */
export const WEBHOOK_SECRET = `whsec_${Buffer.from("a secret of thirty-two bytes, no").toString("base64")}`;

/** A crew and what its agents say. */
export interface Scripted {
  readonly crew: Crew;
  readonly script: Parameters<typeof scriptModel>[0];
}

/** A platform in this process. */
export interface BotPlatform {
  readonly token: string;
  readonly fetch: typeof fetch;
  called: (call: PlatformCall) => void;
}

/** Options of a channel server. */
export interface ChannelServerOptions<Platform extends BotPlatform> {
  readonly platform: Platform;
  readonly clock?: Clock;
  readonly dialects?: readonly Dialect[];
  readonly database?: ReturnType<typeof openLasting>;
  /** Fields of the channel, over the defaults. */
  readonly channel?: object;
  /** A signed webhook beside it. */
  readonly webhook?: object;
  readonly model?: ReturnType<typeof scriptModel>;
  readonly logs?: string[];
}

/** Starts it. */
export async function startBotServer<Platform extends BotPlatform>(
  { crew, script }: Scripted,
  options: ChannelServerOptions<Platform>,
) {
  const {
    platform,
    clock,
    dialects = [],
    database = openLasting(),
    channel = {},
    webhook,
    model = scriptModel(script),
    logs = [],
  } = options;
  const environment = { TOKEN: platform.token, SECRET: "hook-secret", WEBHOOK_SECRET };
  const setting = [
    { type: "telegram", token_env: "TOKEN", access: "open", api_url: "http://127.0.0.1:9", ...channel },
    ...(webhook === undefined ? [] : [{ type: "webhook", secret_env: "WEBHOOK_SECRET", ...webhook }]),
  ];
  const channels = defineChannels({ channels: readChannels(setting, environment), fetch: platform.fetch });
  const store = await Store.open({ database, ...(clock === undefined ? {} : { clock }) });
  const server = await startServer({
    store,
    crews: [{ id: crew.name, crew, findings: [] }],
    model: () => model,
    port: 0,
    graceMs: 0,
    logTo: { write: (line: string) => logs.push(line) },
    routes: channels.routes,
    services: [channels.service],
    dialects,
    metrics: new Map([["channels", channels.metrics]]),
  });
  return {
    platform,
    store,
    server,
    logs,
    database,
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}
