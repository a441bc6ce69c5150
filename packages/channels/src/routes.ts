/**
 * Routes: webhooks of platforms, links, pictures, and the state of channels.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { BatonError } from "@baton/core";
import { defineRoute, ID, JSON_BODY, type RouteMount } from "@baton/server/mount";
import { z } from "zod";
import type { BotChannel, ChannelView } from "./bot-channel.ts";
import { createLinkCode } from "./inbox/links.ts";
import { CHAT, MEDIA } from "./state/channel-records.ts";

/** The channels of a server, once they are open. */
export interface OpenChannels {
  readonly bots: () => readonly BotChannel[];
  readonly views: () => Promise<readonly ChannelView[]>;
}

const MAX_UPDATE_BYTES = 1_024 * 1_024;
const LINK = z.object({ code: z.string(), expires_at: z.iso.datetime(), url: z.string().optional() });
const VIEW = z.looseObject({ name: z.string(), type: z.string(), status: z.string() });
const CHAT_VIEW = z.looseObject({ id: z.string(), private: z.boolean() });

/** The routes of all channels. */
export function channelRoutes(open: OpenChannels): readonly RouteMount[] {
  return [listRoute(open), webhookRoute(open), linkRoute(open), mediaRoute(open), ...chatRoutes(open)];
}

function find({ bots }: OpenChannels, name: string | undefined): BotChannel {
  const found = bots().find(({ config }) => config.name === name);
  if (found === undefined) throw new BatonError("not_found", "there is no such channel");
  return found;
}

function listRoute({ views }: OpenChannels): RouteMount {
  return defineRoute({
    method: "get",
    path: "/api/channels",
    summary: "Chat channels and their state",
    scope: "admin",
    answers: { 200: { description: "Channels", schema: z.object({ channels: z.array(VIEW) }) } },
    handle: async () => Response.json({ channels: await views() }),
  });
}

function webhookRoute(open: OpenChannels): RouteMount {
  return defineRoute({
    method: "post",
    path: "/api/channels/:name/webhook",
    summary: "Takes an update of a chat platform, which proves itself by the channel's secret",
    scope: "open",
    access: "own",
    body: JSON_BODY,
    maxBodyBytes: MAX_UPDATE_BYTES,
    answers: { 200: { description: "The update is on disk", schema: z.object({}) } },
    async handle({ params, headers, body }) {
      const channel = find(open, params["name"]);
      if (channel.config.mode !== "webhook") throw new BatonError("not_found", "there is no such channel");
      if (!isEqual(headers.get(channel.platform.secretHeader) ?? "", channel.config.secret ?? "")) return refuse();
      if (typeof body !== "object" || body === null || Array.isArray(body))
        throw new BatonError("invalid", "the body must be a JSON object");
      await channel.receive(body);
      return Response.json({});
    },
  });
}

function refuse(): Response {
  const body = {
    type: "about:blank",
    title: "Unauthorized",
    status: 401,
    detail: "The secret is missing or wrong.",
    code: "invalid_api_key",
    problems: [],
  };
  return new Response(JSON.stringify(body), { status: 401, headers: { "Content-Type": "application/problem+json" } });
}

/** Hashes have one length, so that the time says nothing. */
function isEqual(one: string, other: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(one), hash(other)) && other !== "";
}

function linkRoute(open: OpenChannels): RouteMount {
  return defineRoute({
    method: "post",
    path: "/api/channels/:name/links",
    summary: "Make a code that connects a chat to your user, once, within 15 minutes",
    scope: "run",
    answers: { 201: { description: "The code", schema: LINK } },
    async handle({ params, tenant, user, store }) {
      const { config } = find(open, params["name"]);
      const made = await createLinkCode({ database: store.database, now: store.clock.now() }, config.name, {
        tenant,
        user,
      });
      const bot = (await open.views()).find(({ name }) => name === config.name)?.bot;
      const url =
        config.type === "telegram" && bot !== undefined ? { url: `https://t.me/${bot}?start=${made.code}` } : {};
      return Response.json(
        { code: made.code, expires_at: new Date(made.expiresAt).toISOString(), ...url },
        { status: 201 },
      );
    },
  });
}

function mediaRoute(open: OpenChannels): RouteMount {
  return defineRoute({
    method: "get",
    path: "/api/channels/:name/media/:id",
    summary: "A picture of an answer, for platforms that fetch pictures",
    scope: "open",
    access: "own",
    answers: { 200: { description: "The picture", type: "image/png" } },
    async handle({ params }) {
      const { records } = find(open, params["name"]);
      const media = ID.safeParse(params["id"]).success ? await records.find(MEDIA, `media/${params["id"]}`) : undefined;
      if (media === undefined) throw new BatonError("not_found", "there is no such picture");
      const headers = {
        "Content-Type": "image/png",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, max-age=86400",
      };
      return new Response(Buffer.from(media.png, "base64"), { headers });
    },
  });
}

function chatRoutes(open: OpenChannels): readonly RouteMount[] {
  return [
    defineRoute({
      method: "get",
      path: "/api/channels/:name/chats",
      summary: "The chats of a channel",
      scope: "admin",
      answers: { 200: { description: "Chats", schema: z.object({ chats: z.array(CHAT_VIEW) }) } },
      async handle({ params }) {
        const chats = await find(open, params["name"]).records.list(CHAT, { kind: "chat" });
        const view = chats.map(({ id, isPrivate, linked, language, isGone }) => ({
          id,
          private: isPrivate,
          language,
          gone: isGone,
          ...(linked === undefined ? {} : { linked }),
        }));
        return Response.json({ chats: view });
      },
    }),
    defineRoute({
      method: "delete",
      path: "/api/channels/:name/chats/:id",
      summary: "Forget a chat; its runs stay",
      scope: "admin",
      answers: { 204: { description: "Removed" } },
      async handle({ params }) {
        const id = params["id"] ?? "";
        if (!ID.safeParse(id).success || !(await find(open, params["name"]).records.remove(`chat/${id}`)))
          throw new BatonError("not_found", "there is no such chat");
        return new Response(null, { status: 204 });
      },
    }),
  ];
}
