/**
 * Document due suite: what a database promises of the documents of all owners whose time has come.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionKey } from "../claim-key.ts";
import type { Database } from "../database.ts";
import type { DueDocument } from "../documents/document-table.ts";
import type { Owner } from "../owner.ts";
import { ANN, hold, type OpenPair } from "./database-pair.ts";

const BOB: Owner = { tenant: "t", user: "bob" };
/** Names with characters that databases treat with care. */
const ODD: Owner = { tenant: 'a","b', user: "é\u0000%" };

/** Tests what is promised of documents that are due. */
export function testDue(open: OpenPair): void {
  testOrder(open);
  testGone(open);
}

async function idsOf(database: Database, upTo: number): Promise<readonly string[]> {
  return (await database.due("plans", { upTo, limit: 100 })).map(
    ({ owner, document }) => `${owner.user} ${document.id}`,
  );
}

function testOrder(open: OpenPair): void {
  test("documents of all owners are due by their index, the longest due first, with their owner", async () => {
    await using pair = await open();
    const put = (owner: Owner, id: string, dueAt: number | string) =>
      pair.first.documents(owner).put("plans", { id, data: { id }, index: { dueAt, other: 1 } });
    const late = await put(BOB, "late", 30);
    const early = await put(ANN, "early", 10);
    const odd = await put(ODD, "odd", 20.5);
    await put(ANN, "later", 31);
    await put(ANN, "a-text", "10");
    await pair.first.documents(ANN).put("plans", { id: "none", data: 1, index: { other: 1 } });
    await pair.first.documents(ANN).put("other", { id: "other", data: 1, index: { dueAt: 1 } });
    const due = await pair.second.due("plans", { upTo: 30, limit: 10 });
    assert.deepEqual(
      due.map(({ owner, document }) => ({ owner, document })),
      [
        { owner: ANN, document: early },
        { owner: ODD, document: odd },
        { owner: BOB, document: late },
      ],
    );
    assert.deepEqual(await pair.second.due("plans", { upTo: 9, limit: 10 }), []);
    assert.deepEqual(await pair.second.due("others", { upTo: 99, limit: 10 }), []);
  });

  test("many are read in pages, each once, also if many are due at the same time", async () => {
    await using pair = await open();
    const owners = [ANN, BOB, ODD, { tenant: "u", user: "ann" }];
    for (const owner of owners) {
      const many = Array.from({ length: 9 }, (_, id) => ({
        id: `p${id}`,
        data: id,
        index: { dueAt: Math.floor(id / 3) },
      }));
      await pair.first.documents(owner).putAll("plans", many);
    }
    const seen: DueDocument[] = [];
    for (let after: DueDocument | undefined; ;) {
      const page = await pair.first.due("plans", { upTo: 5, limit: 5, after });
      seen.push(...page);
      after = page.at(-1);
      if (page.length < 5) break;
    }
    const names = new Set(seen.map(({ owner, document }) => JSON.stringify([owner.tenant, owner.user, document.id])));
    assert.deepEqual([seen.length, names.size], [36, 36]);
    const keys = seen.map(({ key }) => key);
    assert.deepEqual(keys, keys.toSorted());
  });

  test("a collection that cannot be, and a limit that cannot be, are refused", async () => {
    await using pair = await open();
    await assert.rejects(pair.first.due("No Such", { upTo: 1, limit: 1 }), { code: "invalid", message: /collection/ });
    await assert.rejects(pair.first.due("plans", { upTo: 1, limit: 0 }), { code: "invalid", message: /limit is 0/ });
    await pair.first[Symbol.asyncDispose]();
    await assert.rejects(pair.first.due("plans", { upTo: 1, limit: 1 }), { code: "closed" });
  });
}

function testGone(open: OpenPair): void {
  test("what is rewritten, deleted or over is not due any more", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    for (const id of ["moved", "plain", "deleted", "kept"])
      await documents.put("plans", { id, data: 1, index: { dueAt: 1 } });
    await documents.put("plans", { id: "over", data: 1, index: { dueAt: 1 }, ttlMs: 1 });
    await pair.pass(20);
    await documents.put("plans", { id: "moved", data: 1, index: { dueAt: 50 } });
    await documents.put("plans", { id: "plain", data: 1 });
    await documents.delete("plans", "deleted");
    assert.deepEqual(await idsOf(pair.second, 2), ["ann kept"]);
    assert.deepEqual(await idsOf(pair.second, 50), ["ann kept", "ann moved"]);
  });

  test("what goes with a session or an owner is not due any more, and what was given away is due for its new owner", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, sessionKey(ANN, "s"), "one");
    await pair.first.commit([{ claim, session: { id: "s", ...ANN, createdAt: 1, updatedAt: 1 } }]);
    await pair.first.claims.release(claim);
    for (const owner of [ANN, BOB, ODD]) {
      const index = { dueAt: 1 };
      await pair.first.documents(owner).put("plans", { id: "of-s", data: 1, index, session: "s" });
      await pair.first.documents(owner).put("plans", { id: "free", data: 1, index });
    }
    await pair.second.sessions.delete(ANN, "s");
    await pair.second.owners.delete(BOB);
    assert.deepEqual(await idsOf(pair.second, 1), [`${ODD.user} free`, `${ODD.user} of-s`, "ann free"]);
    await pair.second.owners.transfer(ANN, BOB);
    const owners = (await pair.first.due("plans", { upTo: 1, limit: 9 })).map(({ owner }) => owner);
    assert.deepEqual(owners, [ODD, ODD, BOB]);
  });
}
