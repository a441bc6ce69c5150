/**
 * Memory transfer: gives what one owner has to another, or to nobody; all of it or nothing.
 */
import { requestPrefix, runKey, sessionKey, sessionPrefix } from "./claim-key.ts";
import type { Conversation, RunRecord, Transferred } from "./database.ts";
import { isHeld, type MemoryData } from "./memory-data.ts";
import { isSameOwner, type Owner, ownerOf } from "./owner.ts";
import { hasSession, inUse, stillRunning } from "./refusal.ts";

/** Gives all of one owner to another. */
export function transfer(data: MemoryData, from: Owner, to: Owner): Transferred {
  const owner = ownerOf(to);
  const { runs, claims } = findIdle(data, from);
  const sessions = [...data.sessions.values()].filter((session) => isSameOwner(session, from));
  const twice = sessions.find(({ id }) => data.sessions.has(sessionKey(to, id)));
  if (twice !== undefined) throw hasSession(twice.id);
  data.documents.deleteExpired(data.clock.now());
  data.documents.checkTransfer(from, to);
  for (const key of claims) data.claims.delete(key);
  for (const run of runs) data.runs.set(run.id, { ...run, ...owner });
  for (const session of sessions) {
    data.sessions.delete(sessionKey(from, session.id));
    data.sessions.set(sessionKey(to, session.id), { ...session, ...owner });
  }
  for (const [key, said] of Array.from(data.messages)) {
    if (key.startsWith(sessionPrefix(from))) moveMessages(data, key, { said, to: owner });
  }
  data.requests.rename(requestPrefix(from), requestPrefix(to));
  return { runs: runs.length, sessions: sessions.length, documents: data.documents.transfer(from, to) };
}

/** Removes all that an owner has. */
export function deleteOwner(data: MemoryData, owner: Owner): void {
  const { runs, claims } = findIdle(data, owner);
  for (const key of claims) data.claims.delete(key);
  for (const { id } of runs) {
    data.runs.delete(id);
    data.logs.delete(id);
  }
  for (const [key, session] of data.sessions) if (isSameOwner(session, owner)) data.sessions.delete(key);
  for (const key of data.messages.keys()) if (key.startsWith(sessionPrefix(owner))) data.messages.delete(key);
  data.requests.forgetAll(requestPrefix(owner));
  data.documents.deleteOwner(owner);
}

/** An owner's runs, and the claims on all that it has; throws if one is in use. */
function findIdle(data: MemoryData, owner: Owner): { readonly runs: RunRecord[]; readonly claims: string[] } {
  const runs = [...data.runs.values()].filter((run) => isSameOwner(run, owner));
  const running = runs.find(({ status }) => status === "running");
  if (running !== undefined) throw stillRunning(running.id);
  const keys = new Set(runs.map(({ id }) => runKey(id)));
  const claims = [...data.claims.keys()].filter(
    (key) => keys.has(key) || key.startsWith(sessionPrefix(owner)) || key.startsWith(requestPrefix(owner)),
  );
  const held = claims.find((key) => isHeld(data, key));
  if (held !== undefined) throw inUse(held);
  return { runs, claims };
}

function moveMessages(
  { messages }: MemoryData,
  key: string,
  { said, to }: { readonly said: ReadonlyMap<string, Conversation>; readonly to: Owner },
): void {
  messages.delete(key);
  for (const one of said.values()) {
    const target = sessionKey(to, one.session);
    messages.set(target, (messages.get(target) ?? new Map<string, Conversation>()).set(one.run, { ...one, ...to }));
  }
}
