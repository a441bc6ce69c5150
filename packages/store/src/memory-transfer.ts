/**
 * Memory transfer: gives what one owner has to another, all of it or nothing.
 */
import { requestPrefix, runKey, sessionKey, sessionPrefix } from "./claim-key.ts";
import type { Conversation, Transferred } from "./database.ts";
import { isHeld, type MemoryData } from "./memory-data.ts";
import { isSameOwner, type Owner, ownerOf } from "./owner.ts";
import { hasSession, inUse, stillRunning } from "./refusal.ts";

/** Gives all of one owner to another. */
export function transfer(data: MemoryData, from: Owner, to: Owner): Transferred {
  const owner = ownerOf(to);
  const runs = [...data.runs.values()].filter((run) => isSameOwner(run, from));
  const sessions = [...data.sessions.values()].filter((session) => isSameOwner(session, from));
  const running = runs.find(({ status }) => status === "running");
  if (running !== undefined) throw stillRunning(running.id);
  const keys = new Set(runs.map(({ id }) => runKey(id)));
  const claims = [...data.claims.keys()].filter(
    (key) => keys.has(key) || key.startsWith(sessionPrefix(from)) || key.startsWith(requestPrefix(from)),
  );
  const held = claims.find((key) => isHeld(data, key));
  if (held !== undefined) throw inUse(held);
  const twice = sessions.find(({ id }) => data.sessions.has(sessionKey(to, id)));
  if (twice !== undefined) throw hasSession(twice.id);
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
  return { runs: runs.length, sessions: sessions.length };
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
