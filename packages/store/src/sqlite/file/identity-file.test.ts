/** A database that was lost, emptied or exchanged is refused at the start, and noticed while it is in use. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import { Store } from "../../store.ts";
import { hold, recordOf } from "../../testing/database-pair.ts";
import { openSqlite } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-identity-"));
after(() => rmSync(folder, { recursive: true }));

let made = 0;
/** A closed store with one run. */
async function makeStore(): Promise<string> {
  const path = join(folder, `${++made}`, "baton.db");
  await using database = await openSqlite({ path });
  const claim = await hold(database, "run:a", "one");
  await database.commit([{ claim, run: recordOf("a") }]);
  return path;
}

async function reopen(path: string): Promise<void> {
  await (await openSqlite({ path }))[Symbol.asyncDispose]();
}

describe("a store where another one was expected is refused, with what to do", () => {
  test("an empty file", async () => {
    const path = await makeStore();
    truncateSync(path);
    await assert.rejects(reopen(path), { code: "damaged", message: /is empty, but .*baton\.db-id.*backup.*delete/ });
    assert.equal(readFileSync(path).length, 0);
  });

  test("no file", async () => {
    const path = await makeStore();
    rmSync(path);
    await assert.rejects(reopen(path), { code: "damaged", message: /is missing, but .*baton\.db-id/ });
  });

  test("the database of another store, and a new one", async () => {
    const [path, other] = [await makeStore(), await makeStore()];
    const own = readFileSync(path);
    cpSync(other, path);
    await assert.rejects(reopen(path), { code: "damaged", message: /not the database that was here before.*delete/ });
    writeFileSync(path, own);
    await reopen(path);
  });
});

test("a backup of the same store is accepted, and any database once the identity file is deleted", async () => {
  const [path, other] = [await makeStore(), await makeStore()];
  const copy = join(folder, "copy.db");
  using source = new DatabaseSync(path, { readOnly: true });
  source.exec(`VACUUM INTO '${copy}'`);
  rmSync(path);
  renameSync(copy, path);
  await reopen(path);
  cpSync(other, path);
  rmSync(`${path}-id`);
  await reopen(path);
  await assert.rejects(
    reopen(path).then(() => (truncateSync(path), reopen(path))),
    { code: "damaged" },
  );
});

test("a store of an older Baton, which has no identity file, gets one", async () => {
  const path = await makeStore();
  const id = readFileSync(`${path}-id`, "utf8");
  rmSync(`${path}-id`);
  await reopen(path);
  assert.equal(readFileSync(`${path}-id`, "utf8"), id);
});

const LOSSES = [
  ["removed", (path: string) => ["", "-wal", "-shm", "-tip"].forEach((end) => rmSync(path + end, { force: true }))],
  [
    "replaced",
    (path: string) => {
      cpSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
] as const;

for (const [what, lose] of LOSSES) {
  test(`a file that is ${what} while it is in use acknowledges nothing more`, async () => {
    const path = await makeStore();
    const database = await openSqlite({ path });
    await using store = await Store.open({ database });
    const claim = await store.lease.claim("run:b");
    assert.ok(claim !== undefined);
    await database.commit([{ claim, run: recordOf("b") }]);
    assert.equal(store.healthy, true);
    lose(path);
    assert.match(store.problem?.message ?? "", new RegExp(`was ${what} while it was in use`));
    assert.equal((await database.lost)?.code, "damaged");
    await assert.rejects(database.commit([{ claim, run: recordOf("b", { input: "lost" }) }]), { code: "damaged" });
    await assert.rejects(store.write({ claim, run: recordOf("b") }, { isUnknown: true }), { code: "busy" });
  });
}

test("closing a store whose file was replaced leaves the files of the new one alone", async () => {
  const path = await makeStore();
  const old = await openSqlite({ path });
  const held = await hold(old, "run:b", "one");
  await old.commit([{ claim: held, run: recordOf("b") }]);
  for (const end of ["", "-wal", "-shm", "-tip"]) renameSync(path + end, `${path}${end}.old`);
  cpSync(`${path}.old`, path);
  await using database = await openSqlite({ path });
  const claim = await hold(database, "run:c", "two");
  await database.commit([{ claim, run: recordOf("c") }]);
  await old[Symbol.asyncDispose]();
  assert.deepEqual(await database.runs.find("c"), recordOf("c"));
  await using other = await openSqlite({ path });
  assert.deepEqual(await other.runs.find("c"), recordOf("c"));
});
