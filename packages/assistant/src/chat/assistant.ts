/**
 * Assistant: what a crew folder's assistant.ts gives the server, so that its crew is a chat assistant.
 */
import type { Json } from "@baton/core";
import type { Dialect, RouteMount } from "@baton/server/mount";
import type { z } from "zod";
import { chatDialect } from "./chat-dialect.ts";
import { chatRoutes } from "./chat-route.ts";
import type { ChatOptions } from "./chat-state.ts";

/** What is particular to an assistant. */
export interface AssistantDefinition extends ChatOptions {
  /** What the page that asks may say of itself: the request's `ui_context`. Default: any object. */
  readonly uiContext?: z.ZodType<Json>;
  /** Routes beside the chat's. */
  readonly routes?: readonly RouteMount[];
  /** Awaited when the server shuts down. */
  readonly onShutdown?: () => void | Promise<void>;
}

export type { ChatFrame, ChatErrorCode, DoneData, SourceItem, ToldResult } from "./chat-frame.ts";
export { chatDialect } from "./chat-dialect.ts";
export type { ChatOptions, EndedCall } from "./chat-state.ts";

/** What the server mounts. */
export interface Assistant {
  readonly routes: readonly RouteMount[];
  readonly dialects: readonly Dialect[];
  readonly onShutdown?: () => void | Promise<void>;
}

/** Defines a chat assistant: the default export of assistant.ts. */
export function defineAssistant({ routes = [], onShutdown, uiContext, ...chat }: AssistantDefinition = {}): Assistant {
  return {
    routes: [...chatRoutes(uiContext), ...routes],
    dialects: [chatDialect(chat)],
    ...(onShutdown === undefined ? {} : { onShutdown }),
  };
}
