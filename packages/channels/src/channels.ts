/**
 * Channels: chat channels of a server, as the routes and the service that it mounts.
 */
import {
  createMetricsRegistry,
  defineMeter,
  type MetricsRegistry,
  type RouteMount,
  type ServiceMount,
} from "@baton/server/mount";
import { BotChannel } from "./bot-channel.ts";
import type { ChannelConfig } from "./config.ts";
import { PictureRenderer } from "./pictures/picture-renderer.ts";
import { channelRoutes } from "./routes.ts";
import { WebhookChannel } from "./webhook-channel.ts";

/** The parts that a server mounts. */
export interface Channels {
  readonly routes: readonly RouteMount[];
  readonly service: ServiceMount;
  readonly metrics: MetricsRegistry;
}

/** Options of channels. */
export interface ChannelsOptions {
  readonly channels: readonly ChannelConfig[];
  /** Instead of the platform's own. */
  readonly fetch?: typeof fetch;
}

/** Defines the channels of a server; they work once it has begun. */
export function defineChannels({
  channels,
  fetch: send = (input, init) => fetch(input, init),
}: ChannelsOptions): Channels {
  let bots: readonly BotChannel[] = [];
  let hooks: readonly WebhookChannel[] = [];
  const metrics = createMetricsRegistry();
  defineMeter(metrics).totals(
    "channel_messages_unknown_total",
    "Messages that were sent again because no answer came, so that they may have arrived twice.",
    {
      labels: ["channel"],
      read: () => bots.map(({ config, unknown }) => [{ channel: config.name }, unknown] as const),
    },
  );
  return {
    metrics,
    routes: channelRoutes({
      bots: () => bots,
      views: () => Promise.all([...bots, ...hooks].map((channel) => channel.view())),
    }),
    service: {
      name: "channels",
      begin(host) {
        const pictures = new PictureRenderer();
        const given = { host, fetch: send, draw: pictures.draw };
        bots = channels.flatMap((config) => (config.type === "webhook" ? [] : [new BotChannel(config, given)]));
        hooks = channels.flatMap((config) =>
          config.type === "webhook" ? [new WebhookChannel(config, host, send)] : [],
        );
        for (const channel of [...bots, ...hooks]) channel.begin();
        return {
          [Symbol.asyncDispose]: async () => {
            await Promise.all([...bots, ...hooks].map((channel) => channel[Symbol.asyncDispose]()));
            await pictures[Symbol.asyncDispose]();
          },
        };
      },
    },
  };
}
