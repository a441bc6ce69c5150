/**
 * Chat route: `POST /api/v2/chat-assistant/chat/v4`, and the same under its other name.
 */
import { defineRoute, type RequestRateLimits, type RouteMount } from "@baton/server/mount";
import type { Json } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { z } from "zod";
import { chatBodySchema, toModelName, toOptions } from "./chat-body.ts";

const PATHS = ["/api/v2/chat-assistant/chat/v4", "/api/v2/chat"] as const;

const HOUR_SECONDS = 3_600;

/** Rate limits of the chat: `key` is for the plan `free`. */
const CHAT_LIMITS: RequestRateLimits = {
  key: { requests: 20, windowSeconds: HOUR_SECONDS },
  premium: { requests: 100, windowSeconds: HOUR_SECONDS },
  session: { requests: 50, windowSeconds: HOUR_SECONDS },
  global: { requests: 1_000, windowSeconds: 60 },
};

/** Options of the chat's routes. */
export interface ChatRouteOptions {
  /** The schema of the request's `ui_context`, what a page says about itself. Default: any object. */
  readonly uiContext?: z.ZodType<Json>;
  /** Rate limits. Default: 20 times an hour for a user, 100 for a premium one, 50 in a session. */
  readonly limits?: RequestRateLimits;
}

/** The routes of a chat. */
export function chatRoutes({ uiContext, limits = CHAT_LIMITS }: ChatRouteOptions = {}): readonly RouteMount[] {
  const body = chatBodySchema(uiContext);
  return PATHS.map((path) =>
    defineRoute({
      ...(path === PATHS[0] ? { op: "chat" } : {}),
      method: "post",
      path,
      summary: "Asks an assistant; the answer streams as typed frames",
      scope: "run",
      body,
      takesImages: true,
      limits,
      answers: { 200: { description: "The answer as it is made, to `data: [DONE]`", type: "text/event-stream" } },
      handle: ({ body: request, ask }) =>
        ask(
          {
            input: request.question_input,
            field: "question_input",
            options: toOptions(request),
            session: request.session_id,
            ...omitUndefined({ crew: request.crew, images: request.images, model: toModelName(request) }),
          },
          { dialect: "chat" },
        ),
    }),
  );
}
