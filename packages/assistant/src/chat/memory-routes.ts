/**
 * Memory routes: let a user see and change their memory.
 *
 * The user is the key's; another user's ids are not found. Every change can be undone, except deleting everything.
 */
import { isDeepStrictEqual } from "node:util";
import { BatonError } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { defineRoute, ID, type MountRequest, type RouteMount } from "@baton/server/mount";
import { z } from "zod";
import { CARD, type MemoryChange, findChange, toCard } from "../memory/change.ts";
import { MEMORY, toMemoryId, toTime } from "../memory/collections.ts";
import { changeCore, readCore, undoCore } from "../memory/core/core-store.ts";
import { CORE_WRITTEN, type CoreRead, MAX_YAML_CHARS, parseYaml, toCore, toYaml } from "../memory/core/core-yaml.ts";
import { CORE, type CoreMemory } from "../memory/core/entry.ts";
import { undoFact } from "../memory/recall/saved-facts.ts";
import { forgetEntry } from "../memory/forget.ts";
import { replaceAll } from "../memory/core/apply-statement.ts";
import { deleteAll, OVERVIEW, readOverview } from "../memory/overview.ts";

const CHANGED = z.object({ core: CORE, change: CARD.exactOptional().describe("Absent if nothing was changed") });
const MAX_SHOWN = 200;

type Asked = Pick<MountRequest, "store" | "tenant" | "user" | "requestId">;

/** The routes of memory. */
export function memoryRoutes(): readonly RouteMount[] {
  return [overviewRoute(), exportRoute(), importRoute(), replaceRoute(), ...deleteRoutes(), undoRoute()];
}

function overviewRoute(): RouteMount {
  return defineRoute({
    method: "get",
    path: "/api/memory",
    summary: "Your memory: everything stored about you",
    scope: "read",
    query: z.object({
      session: ID.optional().describe("Whose summary and messages; default: the newest of all sessions"),
      limit: z.coerce.number().int().min(1).max(MAX_SHOWN).default(50),
    }),
    answers: { 200: { description: "Core memory, facts and messages, the summary and the changes", schema: OVERVIEW } },
    handle: async ({ query: { session, limit }, ...asked }) =>
      Response.json(await readOverview(documentsOf(asked), { limit, ...omitUndefined({ session }) })),
  });
}

function exportRoute(): RouteMount {
  return defineRoute({
    method: "get",
    path: "/api/memory/export",
    summary: "Your core memory as YAML",
    scope: "read",
    answers: { 200: { description: "A file that can be imported again", type: "application/yaml" } },
    handle: async (asked) => {
      const text = toYaml(await readCore(documentsOf(asked)));
      const disposition = 'attachment; filename="memory.yaml"';
      return new Response(text, {
        headers: { "Content-Type": "application/yaml", "Content-Disposition": disposition },
      });
    },
  });
}

function importRoute(): RouteMount {
  return defineRoute({
    method: "post",
    path: "/api/memory/import",
    summary: "Replaces your core memory by a YAML file, or refuses the whole file",
    scope: "run",
    body: z.object({ yaml: z.string().min(1).max(MAX_YAML_CHARS) }),
    answers: { 200: { description: "Core memory as it is now", schema: CHANGED } },
    handle: ({ body: { yaml }, ...asked }) => replace(asked, parseYaml(yaml, now(asked)), "core memory imported"),
  });
}

function replaceRoute(): RouteMount {
  return defineRoute({
    method: "put",
    path: "/api/memory/core",
    summary: "Replaces your core memory",
    scope: "run",
    body: CORE_WRITTEN,
    answers: { 200: { description: "Core memory as it is now", schema: CHANGED } },
    handle: ({ body, ...asked }) =>
      replace(asked, toCore(body, { at: now(asked), lineOf: () => 0 }), "core memory edited"),
  });
}

function deleteRoutes(): readonly RouteMount[] {
  return [
    defineRoute({
      method: "delete",
      path: "/api/memory",
      summary: "Forgets everything about you; this cannot be undone",
      scope: "run",
      answers: { 200: { description: "How much was forgotten", schema: z.object({ deleted: z.int() }) } },
      handle: async (asked) => Response.json({ deleted: await deleteAll(documentsOf(asked)) }),
    }),
    defineRoute({
      method: "delete",
      path: "/api/memory/:id",
      summary: "Forgets one entry, fact or message",
      scope: "run",
      answers: {
        200: {
          description: "What was forgotten; a message cannot be brought back",
          schema: z.object({ deleted: z.string(), change: CARD.exactOptional() }),
        },
      },
      handle: async ({ params, ...asked }) => {
        const id = toId(params);
        const change = await forget(documentsOf(asked), id, asked);
        return Response.json({ deleted: id, ...(change && { change: toCard(change) }) });
      },
    }),
  ];
}

function undoRoute(): RouteMount {
  return defineRoute({
    method: "post",
    path: "/api/memory/:id/undo",
    summary: "Undoes a change of memory",
    scope: "run",
    answers: { 200: { description: "The change that is undone, and core memory after it", schema: CHANGED } },
    handle: async ({ params, ...asked }) => {
      const documents = documentsOf(asked);
      const change = await undoChange(documents, toId(params), now(asked));
      return Response.json({ core: await readCore(documents), change: toCard(change) });
    },
  });
}

async function undoChange(documents: Documents, id: string, at: string): Promise<MemoryChange> {
  const found = await findChange(documents, id);
  // A change of core memory may not have its own document yet.
  if (found === undefined || found.in === "core") return undoCore(documents, id, at);
  if (found.undone !== undefined) throw new BatonError("conflict", `the change ${id} is already undone`);
  return undoFact(documents, found, at);
}

async function replace(asked: Asked, read: CoreRead, text: string): Promise<Response> {
  if (!read.ok) {
    const problems = read.problems.map(({ line, reason }) => (line === 0 ? reason : `line ${line}: ${reason}`));
    throw new BatonError("invalid", `nothing was changed: ${problems.join("; ")}`);
  }
  const documents = documentsOf(asked);
  const decide = (core: CoreMemory) => {
    const isSame = isDeepStrictEqual(core, read.core);
    return {
      operation: isSame ? "NOOP" : "UPDATE",
      core: read.core,
      edits: replaceAll(core, read.core),
      text,
    } as const;
  };
  const { change } = await changeCore(documents, { id: toChangeId(asked, text), at: now(asked), decide });
  return Response.json({ core: await readCore(documents), ...(change && { change: toCard(change) }) });
}

/** Forgets what has this id; throws `not_found` if nothing has. */
async function forget(documents: Documents, id: string, asked: Asked): Promise<MemoryChange | undefined> {
  const dropped = await forgetEntry(documents, { id }, { change: toChangeId(asked, id), at: now(asked) });
  if (dropped !== undefined) return dropped;
  if (await documents.delete(MEMORY.messages, id)) return undefined;
  throw new BatonError("not_found", `memory has no entry with the id ${id}`);
}

const documentsOf = ({ store, tenant, user }: Asked): Documents => store.database.documents({ tenant, user });

const now = ({ store }: Asked): string => toTime(store.clock.now());

/** The same request twice is two changes: request ids may be chosen by clients, so the time is part of it. */
const toChangeId = ({ requestId, store }: Asked, what: string): string =>
  toMemoryId("c", "request", requestId, `${store.clock.now()}`, what);

function toId(params: Readonly<Record<string, string>>): string {
  const { data } = ID.safeParse(params["id"]);
  if (data === undefined) throw new BatonError("not_found", "memory has no entry with this id");
  return data;
}
