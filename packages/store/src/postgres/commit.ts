/**
 * Commit: changes as the rows that the commit function writes.
 */
import type { Batch, Change, Claim, Conversation, RequestRecord, RunRecord, SessionRecord } from "../record.ts";
import { toShortId } from "../run-id.ts";
import { fold, isTextNew, toRunText } from "../search/run-text.ts";
import type { RunStatement } from "./connection.ts";
import { orNull, parseName, toName, toSearch } from "./names.ts";

/** Writes all changes at this time; gives the keys of the claims that were lost. */
export async function commit(ask: RunStatement, changes: readonly Change[], now: number): Promise<readonly string[]> {
  const statement = { name: "baton_commit", text: "select distinct baton_commit($1::json, $2) as key" };
  const rows = await ask<{ readonly key: string }>(statement, [JSON.stringify(changes.map(toRow)), now]);
  return rows.map(({ key }) => parseName(key));
}

function toRow(change: Change, place: number): object {
  const { claim, also, begins = false, ends = false, creates = false, run, batch, next } = change;
  const { session, messages, request, takes = [] } = change;
  const id = run?.id ?? batch?.run;
  return {
    place,
    claim: toClaimRow(claim),
    also: also && toClaimRow(also),
    begins,
    ends,
    creates,
    id: orNull(id),
    run: run && toRunRow(run),
    batch: batch && toBatchRow(batch),
    next: next && toRunRow(next),
    text: run && isTextNew(change) ? toTextRow(run, change.answer) : undefined,
    next_text: next && toTextRow(next),
    session: session && toSessionRow(session),
    messages: messages && toMessagesRow(messages),
    replaces: messages?.replaces ?? false,
    request: request && toRequestRow(request),
    takes: takes.map(toName),
  };
}

function toClaimRow({ key, owner, number }: Claim): object {
  return { key: toName(key), owner: toName(owner), number };
}

function toBatchRow({ run, ...batch }: Batch): object {
  return { run: toName(run), ...batch };
}

function toRunRow(run: RunRecord): object {
  return {
    id: toName(run.id),
    short_id: toName(toShortId(run.id)),
    tenant: toName(run.tenant),
    user_name: toName(run.user),
    crew: toName(run.crew),
    session: orNull(run.session),
    request_id: orNull(run.requestId),
    status: run.status,
    outcome: run.outcome,
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    body: JSON.stringify(run),
  };
}

function toTextRow(run: RunRecord, answer?: string): object {
  const { title: _, answer: folded, ...text } = toRunText(run, { answer });
  return {
    run: toName(run.id),
    tenant: toName(run.tenant),
    user_name: toName(run.user),
    session: orNull(run.session),
    ...text,
    answer: answer === undefined ? null : folded,
  };
}

function toSessionRow(session: SessionRecord): object {
  return {
    tenant: toName(session.tenant),
    user_name: toName(session.user),
    id: toName(session.id),
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    search: toSearch(session.title ?? ""),
    words: fold(session.title ?? ""),
    body: JSON.stringify(session),
  };
}

function toMessagesRow({ tenant, user, session, run, messages }: Conversation): object {
  return {
    tenant: toName(tenant),
    user_name: toName(user),
    session: toName(session),
    run: toName(run),
    body: JSON.stringify(messages),
  };
}

function toRequestRow(request: RequestRecord): object {
  const { key, begun, keptUntil } = request;
  return { key: toName(key), run: orNull(begun?.run), kept_until: keptUntil, body: JSON.stringify(request) };
}
