/**
 * MCP caller: who calls a server, and where the caller's tokens are.
 */
import { createHash } from "node:crypto";
import type { Documents } from "@baton/core/ports";
import type { McpOAuth } from "@baton/crewfile/mcp";

/** Owner of tokens. */
export type TokenOwner = Readonly<{ tenant: string; user: string }>;

/** The caller of a server, and the documents that keep the caller's tokens. */
export type McpCaller = TokenOwner & { readonly documents: Documents };

/** The server that is signed in to, as the crew describes it. */
export type SignInServer = Readonly<{ name: string; url: string; oauth?: McpOAuth }>;

/** The id of a server's tokens. The address is part of it, so that a token never reaches another server of that name. */
export function toStoreId({ name, url }: SignInServer): string {
  return `${name}-${createHash("sha256").update(url).digest("hex").slice(0, 16)}`;
}
