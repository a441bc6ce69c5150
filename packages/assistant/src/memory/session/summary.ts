/**
 * Summary: what a session was about so far, in versions: messages 1 to 10 make the first, that and 11 to 20 the second.
 *
 * Every version is kept with its range. One has at most 1,000 tokens, and is made of at least five new messages.
 */
import type { Document, Documents } from "@baton/core/ports";
import { z } from "zod";
import { tokensOf } from "../../context/assemble.ts";
import { isWritten } from "../change-document.ts";
import { MEMORY, toTime } from "../collections.ts";
import { redact } from "../refuse/redact.ts";
import { countMessages, messagesBetween, type PastMessage } from "./session-messages.ts";

/** The longest summary, in tokens. */
const SUMMARY_TOKENS = 1_000;
/** The messages between two versions. */
const EVERY = 10;
const AT_LEAST = 5;

/** One version of a session's summary, as it is stored and shown. */
export const SUMMARY_VERSION = z.object({
  session: z.string(),
  version: z.int().min(1),
  from: z.int().describe("The first of the messages that are new in this version"),
  to: z.int().describe("The last message that it covers"),
  text: z.string(),
  tokens: z.int(),
  at: z.string(),
});

export type SummaryVersion = Readonly<z.output<typeof SUMMARY_VERSION>>;

/** A summary to write. */
export interface SummaryDue {
  readonly session: string;
  readonly version: number;
  readonly from: number;
  readonly to: number;
  readonly previous: string;
  readonly messages: readonly PastMessage[];
}

/** The versions of a session, the newest first. */
export async function readVersions(documents: Documents, session: string): Promise<readonly SummaryVersion[]> {
  const query = { where: { session }, orderBy: "version", order: "descending", limit: 1_000 } as const;
  const { documents: found } = await documents.list(MEMORY.summary, query);
  return found.flatMap((one) => parseVersion(one) ?? []);
}

/** The newest version of all sessions. */
export async function readNewest(documents: Documents): Promise<SummaryVersion | undefined> {
  const { documents: found } = await documents.list(MEMORY.summary, { orderBy: "at", order: "descending", limit: 1 });
  return found[0] && parseVersion(found[0]);
}

/** The version to write now; undefined if there is not enough new text to sum up. */
export async function findDue(documents: Documents, session: string): Promise<SummaryDue | undefined> {
  const [last] = await readVersions(documents, session);
  const from = (last?.to ?? 0) + 1;
  const to = Math.floor((await countMessages(documents, session)) / EVERY) * EVERY;
  if (to - from + 1 < AT_LEAST) return undefined;
  const messages = await messagesBetween(documents, session, { from, to });
  if (messages.length < AT_LEAST) return undefined;
  return { session, version: (last?.version ?? 0) + 1, from, to, previous: last?.text ?? "", messages };
}

/** Keeps a version. False if there is one of that number already. */
export async function keepVersion(
  documents: Documents,
  { session, version, from, to }: Omit<SummaryDue, "messages" | "previous">,
  { text, atMs }: Readonly<{ text: string; atMs: number }>,
): Promise<boolean> {
  const kept = fit(redact(text.trim()));
  const at = toTime(atMs);
  const data = { session, version, from, to, text: kept, tokens: tokensOf(kept), at };
  const index = { session, version, at: atMs };
  return isWritten(documents.put(MEMORY.summary, { id: `${session}/v${version}`, data, session, version: 0, index }));
}

/** Writes the text that a model is asked to sum up. */
export function toSummaryInput({ previous, messages }: Pick<SummaryDue, "previous" | "messages">): string {
  const lines = messages.map(({ role, text }) => `${role}: ${text}`);
  return [...(previous === "" ? [] : [`Summary so far:\n${previous}\n`]), "New messages:", ...lines].join("\n");
}

/** The text, cut so that it keeps within the limit. */
function fit(text: string): string {
  let kept = text;
  while (tokensOf(kept) > SUMMARY_TOKENS) {
    const chars = Array.from(kept);
    kept = chars.slice(0, Math.floor(chars.length * 0.95) - 1).join("");
  }
  return kept;
}

const parseVersion = ({ data }: Document): SummaryVersion | undefined => SUMMARY_VERSION.safeParse(data).data;
