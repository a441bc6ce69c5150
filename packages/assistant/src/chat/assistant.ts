/**
 * Assistant: what a crew folder's assistant.ts gives the server, so that its crew is a chat assistant.
 */
import type { Dialect, MetricsRegistry, RouteMount } from "@baton/server/mount";
import { omitUndefined } from "@baton/core/util";
import type { AssistantMeter } from "../metrics/assistant-meter.ts";
import { chatDialect } from "./chat-dialect.ts";
import { createChatMetrics } from "./chat-metrics.ts";
import { type ChatRouteOptions, chatRoutes } from "./chat-route.ts";
import type { ChatOptions } from "./chat-state.ts";

/** The definition of an assistant. */
export interface AssistantDefinition extends ChatOptions, ChatRouteOptions {
  /** Routes beside the chat's. */
  readonly routes?: readonly RouteMount[];
  /** Awaited when the server shuts down. */
  readonly onShutdown?: () => void | Promise<void>;
  /** Called with the address before the server listens; throws to refuse. */
  readonly check?: (place: ListeningPlace) => void | Promise<void>;
  /** Counts for `/metrics`; the same one that the crew's tools and models count with. */
  readonly meter?: AssistantMeter;
}

/** The address on which a server is about to listen. */
export type ListeningPlace = Readonly<{ host: string; isLoopback: boolean }>;

export type { ChatFrame, ChatErrorCode, DoneData, SourceItem, ShownResult } from "./chat-frame.ts";
export { chatDialect } from "./chat-dialect.ts";
export { memoryRoutes } from "./memory-routes.ts";
export type { ChatOptions, EndedCall } from "./chat-state.ts";

/** The parts that the server mounts. */
export interface Assistant extends Pick<AssistantDefinition, "onShutdown" | "check"> {
  readonly routes: readonly RouteMount[];
  readonly dialects: readonly Dialect[];
  readonly metrics?: MetricsRegistry;
}

/** Defines a chat assistant: the default export of assistant.ts. */
export function defineAssistant(definition: AssistantDefinition = {}): Assistant {
  const { routes = [], onShutdown, check, meter } = definition;
  return {
    routes: [...chatRoutes(definition), ...routes],
    dialects: [chatDialect(definition)],
    ...omitUndefined({ onShutdown, check, metrics: meter && createChatMetrics(meter) }),
  };
}
