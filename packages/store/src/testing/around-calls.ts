/**
 * Around calls: a database with something before and after each call of it, as tests need that stop a process anywhere.
 */
import type { Database } from "../database.ts";
import type { Owner } from "../owner.ts";

/** Called with the name of the call: `commit`, `runs.find`, `documents.put` … */
export type Pass = (name: string) => Promise<void>;

const NOUNS = ["runs", "logs", "sessions", "claims", "inbox", "requests", "definitions", "keys", "owners"] as const;
/** Calls that are answered at once. */
const AT_ONCE: readonly PropertyKey[] = ["watch", "watchAll", Symbol.asyncDispose];

/** The same database, with `pass` before and after each call, except for watchers and the ledger. */
export function aroundCalls(database: Database, pass: Pass): Database {
  const nouns = new Map<PropertyKey, unknown>(NOUNS.map((noun) => [noun, around(database[noun], `${noun}.`, pass)]));
  nouns.set("documents", (owner: Owner) => around(database.documents(owner), "documents.", pass));
  const calls = around(database, "", pass);
  return new Proxy(database, {
    get(_, name) {
      const value: unknown = nouns.get(name) ?? Reflect.get(calls, name);
      return value;
    },
  });
}

function around<T extends object>(object: T, prefix: string, pass: Pass): T {
  return new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const call = (parts: unknown[]): unknown => Reflect.apply(value, target, parts);
      if (AT_ONCE.includes(name)) return (...parts: unknown[]) => call(parts);
      return async (...parts: unknown[]): Promise<unknown> => {
        await pass(`${prefix}${String(name)}`);
        const result: unknown = await call(parts);
        await pass(`${prefix}${String(name)}`);
        return result;
      };
    },
  });
}
