/**
 * Overview: all that is remembered of a user, as the user sees it, and how it is deleted.
 */
import type { Document, Documents } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { CARD, type MemoryChange, parseChange, toCard } from "./change.ts";
import { MEMORY } from "./collections.ts";
import { readCore } from "./core/core-store.ts";
import { CORE, CORE_CAPS, coreTokens } from "./core/entry.ts";
import { parseSavedFact } from "./recall/saved-facts.ts";
import { readNewest, readVersions, SUMMARY_VERSION, type SummaryVersion } from "./session/summary.ts";
import { parseMessage } from "./session/session-messages.ts";

const Tokens = z.object({ persona: z.int(), human: z.int(), total: z.int() });

const RECALLED = z.object({
  id: z.string(),
  kind: z.enum(["fact", "message"]),
  text: z.string(),
  at: z.string(),
  category: z.string().exactOptional(),
  role: z.string().exactOptional(),
  session: z.string().exactOptional(),
});

const CHANGED = CARD.extend({ at: z.string(), undone: z.string().exactOptional() });

/** All that is remembered of a user. */
export const OVERVIEW = z.object({
  core: CORE.extend({ tokens: Tokens, limits: Tokens }),
  recall: z.array(RECALLED).describe("Saved facts, then past messages, the newest first"),
  summary: SUMMARY_VERSION.extend({ versions: z.array(SUMMARY_VERSION) })
    .exactOptional()
    .describe("Of the session that was asked for, or of the last one that was summed up"),
  changes: z.array(CHANGED).describe("The newest changes first"),
});

/** All that is remembered of a user. */
export type Overview = z.output<typeof OVERVIEW>;

const MAX_CHANGES = 50;

/** Limits of the overview. */
export interface OverviewRequest {
  /** The session of the summary. Default: the newest. */
  readonly session?: string;
  /** The number of facts, and of messages. */
  readonly limit: number;
}

/** All that is remembered of the documents' user. */
export async function readOverview(documents: Documents, request: OverviewRequest): Promise<Overview> {
  const { limit, session } = request;
  const newest = { orderBy: "at", order: "descending" } as const;
  const [core, facts, messages, changes, summary] = await Promise.all([
    readCore(documents),
    documents.list(MEMORY.facts, { ...newest, limit }),
    documents.list(MEMORY.messages, { ...newest, limit, ...(session === undefined ? {} : { where: { session } }) }),
    documents.list(MEMORY.changes, { ...newest, limit: MAX_CHANGES }),
    readSummary(documents, session),
  ]);
  return {
    core: { persona: [...core.persona], human: [...core.human], tokens: coreTokens(core), limits: CORE_CAPS },
    recall: [...facts.documents.flatMap(toFact), ...messages.documents.flatMap(toMessage)],
    ...omitUndefined({ summary }),
    changes: changes.documents.flatMap((one) => toChange(parseChange(one))),
  };
}

async function readSummary(documents: Documents, session: string | undefined) {
  const of = session ?? (await readNewest(documents))?.session;
  const versions: readonly SummaryVersion[] = of === undefined ? [] : await readVersions(documents, of);
  const [newest] = versions;
  return newest && { ...newest, versions: [...versions] };
}

function toFact(document: Document): Overview["recall"] {
  const entry = parseSavedFact(document);
  if (entry === undefined) return [];
  const { id, text, at, category } = entry;
  return [{ id, kind: "fact", text, at, category }];
}

function toMessage(document: Document): Overview["recall"] {
  const message = parseMessage(document);
  if (message === undefined) return [];
  const { id, text, at, role, session } = message;
  return [{ id, kind: "message", text, at, role, ...omitUndefined({ session }) }];
}

function toChange(change: MemoryChange | undefined): Overview["changes"] {
  if (change === undefined) return [];
  return [{ ...toCard(change), at: change.at, ...omitUndefined({ undone: change.undone }) }];
}

const PAGE = 500;

/** Deletes everything of every kind; gives how many documents. */
export async function deleteAll(documents: Documents): Promise<number> {
  let deleted = 0;
  for (const collection of Object.values(MEMORY)) {
    for (let found = await documents.list(collection, { limit: PAGE }); found.documents.length > 0;) {
      const gone = await Promise.all(found.documents.map(({ id }) => documents.delete(collection, id)));
      deleted += gone.filter(Boolean).length;
      found = await documents.list(collection, { limit: PAGE });
    }
  }
  return deleted;
}
