/**
 * Chat route: `POST /api/v2/chat-assistant/chat/v4`, and the same under its other name.
 */
import { defineRoute, type RouteMount } from "@baton/server/mount";
import { given, type Json } from "@baton/core";
import type { z } from "zod";
import { toChatRequest, toModelName, toOptions } from "./chat-request.ts";

const PATHS = ["/api/v2/chat-assistant/chat/v4", "/api/v2/chat"] as const;

/** The routes of a chat. */
export function chatRoutes(uiContext?: z.ZodType<Json>): readonly RouteMount[] {
  const body = toChatRequest(uiContext);
  return PATHS.map((path) =>
    defineRoute({
      method: "post",
      path,
      summary: "Asks an assistant; the answer streams as typed frames",
      scope: "run",
      body,
      takesImages: true,
      answers: { 200: { description: "The answer as it is made, to `data: [DONE]`", type: "text/event-stream" } },
      handle: ({ body: request, ask }) =>
        ask(
          {
            input: request.question_input,
            field: "question_input",
            options: toOptions(request),
            session: request.session_id,
            ...given({ crew: request.crew, images: request.images, model: toModelName(request) }),
          },
          { dialect: "chat" },
        ),
    }),
  );
}
