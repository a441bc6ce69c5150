/**
 * Draft: the last table that a session has looked at and not yet imported, kept for an hour.
 */
import { createHash } from "node:crypto";
import type { CallContext } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";

const DRAFTS = "holdings_drafts";
const KEPT_MS = 60 * 60_000;

const DraftSchema = z.object({ csv: z.string(), account: z.string().optional() });

/** A table as it was pasted, and the account it is for. */
export type Draft = Readonly<{ csv: string; account?: string | undefined }>;

type Session = Pick<CallContext, "documents" | "session">;

/** Keeps a draft for this session; an earlier one is replaced. */
export async function saveDraft({ documents, session }: Session, { csv, account }: Draft): Promise<void> {
  const data = { csv, ...omitUndefined({ account }) };
  await documents.put(DRAFTS, { id: idOf(session), data, ttlMs: KEPT_MS, ...omitUndefined({ session }) });
}

/** The draft of this session. */
export async function readDraft({ documents, session }: Session): Promise<Draft | undefined> {
  const found = await documents.get(DRAFTS, idOf(session));
  return found === undefined ? undefined : DraftSchema.safeParse(found.data).data;
}

/** Ids of documents have fewer characters than those of sessions may have. */
const idOf = (session = ""): string => createHash("sha256").update(session).digest("hex");
