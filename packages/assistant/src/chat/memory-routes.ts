/**
 * Memory routes: what a user sees and changes of what is remembered. The user is the key's, and nobody else's is seen.
 */
import { defineRoute, type RouteMount } from "@baton/server/mount";
import { z } from "zod";
import { readCore } from "../memory/core-store.ts";
import { CORE } from "../memory/entry.ts";

const OVERVIEW = z.object({ core: CORE, recall: z.array(z.json()) });

/** The routes of memory. */
export function memoryRoutes(): readonly RouteMount[] {
  return [
    defineRoute({
      method: "get",
      path: "/api/memory",
      summary: "What is remembered of you",
      scope: "read",
      answers: { 200: { description: "Core memory, recall and the newest summary", schema: OVERVIEW } },
      handle: async ({ store, tenant, user }) => {
        const documents = store.database.documents({ tenant, user });
        return Response.json({ core: await readCore(documents), recall: [] });
      },
    }),
  ];
}
