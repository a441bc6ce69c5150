/**
 * Turns: the messages of past runs, kept so that they can be recalled, and numbered within their session.
 *
 * Numbers are given once: a run that is kept again has the same ones, and runs that are kept at the same time have
 * different ones.
 */
import type { Document, Documents } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { changeDocument } from "../change-document.ts";
import { MEMORY, toMemoryId, toTime } from "../collections.ts";
import { redact } from "../refuse/redact.ts";

const MESSAGE = z.object({
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  at: z.string(),
  run: z.string(),
  session: z.string().exactOptional(),
  number: z.int().exactOptional(),
});

/** A message that is kept. */
export type PastMessage = Readonly<z.output<typeof MESSAGE>> & Readonly<{ id: string }>;

/** One run's input and answer. */
export interface SessionTurn {
  readonly run: string;
  readonly session?: string;
  readonly input: string;
  readonly answer: string;
}

/** The number of messages of a session, and the numbers of those of the last runs. */
const COUNT = z.object({
  messages: z.int().min(0),
  runs: z.array(z.object({ run: z.string(), first: z.int(), messages: z.int() })),
});

/** A run that is kept again after so many others would be counted again. */
const REMEMBERED_RUNS = 100;

/** The message that a document holds; undefined if it is damaged. */
export function parseMessage({ id, data }: Document): PastMessage | undefined {
  const message = MESSAGE.safeParse(data).data;
  return message && { ...message, id };
}

/** Keeps both messages of a run; gives how many there are in its session. */
export async function keepTurn(documents: Documents, turn: SessionTurn, atMs: number): Promise<number> {
  const { run, session } = turn;
  const said = [
    { role: "user", text: redact(turn.input) },
    { role: "assistant", text: redact(turn.answer) },
  ] as const;
  const kept = said.filter(({ text }) => text.trim() !== "");
  const counted = session === undefined ? undefined : await count(documents, { session, run, messages: kept.length });
  const [first] = kept;
  // A turn that is kept already stays as it is, with its time.
  const isKept = first !== undefined && (await documents.get(MEMORY.messages, toMemoryId("t", run, first.role)));
  if (isKept) return counted?.total ?? 0;
  await documents.putAll(
    MEMORY.messages,
    kept.map(({ role, text }, index) => {
      const number = counted === undefined ? undefined : counted.first + index;
      // The answer comes after the question, also for those that order by time.
      const saidMs = atMs + index;
      const at = toTime(saidMs);
      return {
        id: toMemoryId("t", run, role),
        data: { role, text, at, run, ...omitUndefined({ session, number }) },
        index: { at: saidMs, ...omitUndefined({ session, number }) },
        text,
        ...omitUndefined({ session }),
      };
    }),
  );
  return counted?.total ?? 0;
}

/** The messages of a session with these numbers, in order. */
export async function messagesBetween(
  documents: Documents,
  session: string,
  { from, to }: Readonly<{ from: number; to: number }>,
): Promise<readonly PastMessage[]> {
  const found: PastMessage[] = [];
  for (let after: string | undefined; ;) {
    const query = { where: { session }, orderBy: "number", order: "descending", limit: 100 } as const;
    const page = await documents.list(MEMORY.messages, { ...query, ...omitUndefined({ after }) });
    found.push(...page.documents.flatMap((one) => parseMessage(one) ?? []));
    after = page.next;
    if (after === undefined || (found.at(-1)?.number ?? 0) < from) break;
  }
  return found.filter(({ number = 0 }) => number >= from && number <= to).toReversed();
}

/** Returns the newest texts of the user in a session, the oldest of them first. */
export async function newestOfUser(documents: Documents, session: string, most: number): Promise<readonly string[]> {
  const to = await countMessages(documents, session);
  const messages = await messagesBetween(documents, session, { from: to - 2 * most + 1, to });
  return messages.flatMap(({ role, text }) => (role === "user" ? [text] : [])).slice(-most);
}

/** Counts the stored messages of a session. */
export async function countMessages(documents: Documents, session: string): Promise<number> {
  return parseCount(await documents.get(MEMORY.summary, toCountId(session))).messages;
}

const toCountId = (session: string): string => `count:${session}`;

const parseCount = (document: Document | undefined) =>
  COUNT.safeParse(document?.data).data ?? { messages: 0, runs: [] };

type Counting = Readonly<{ session: string; run: string; messages: number }>;

function count(documents: Documents, { session, run, messages }: Counting) {
  return changeDocument(documents, { collection: MEMORY.summary, id: toCountId(session) }, (found) => {
    const now = parseCount(found);
    const known = now.runs.find((one) => one.run === run);
    if (known !== undefined) return { result: { first: known.first, total: now.messages } };
    const first = now.messages + 1;
    const total = now.messages + messages;
    const runs = [...now.runs, { run, first, messages }].slice(-REMEMBERED_RUNS);
    return { result: { first, total }, put: { data: { messages: total, runs }, session } };
  });
}
