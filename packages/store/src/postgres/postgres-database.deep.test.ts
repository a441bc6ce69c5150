import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cap } from "@baton/core/ports";
import { inSlice, testLedger } from "@baton/core/testing";
import { Client } from "pg";
import { toBatch, toLines } from "../batch.ts";
import type { Database } from "../database.ts";
import { ANN, type BrittlePair, hold, ID_COLUMNS, linesOf, recordOf, save } from "../testing/database-pair.ts";
import { testDamage } from "../testing/damage-suite.ts";
import { testDatabase } from "../testing/database-suite.ts";
import { PostgresConnection } from "./connection.ts";
import { openPostgres } from "./index.ts";
import { postgresLedger } from "./ledger.ts";
import { makeTables } from "./schema.ts";
import { PostgresServer } from "./embedded-server.ts";

/** Tests that wait for the server to come to a point give up when it does not. */
const LIMITED = { timeout: 60_000 };

describe("Postgres", () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(async () => server[Symbol.asyncDispose]());

  const openPair = async (): Promise<BrittlePair> => {
    const url = await server.newSchema();
    const [first, second] = [await openPostgres({ url }), await openPostgres({ url })];
    return {
      first,
      second,
      pass: async (ms) => sleep(ms),
      now: () => Date.now(),
      damage: async (kind, id) => {
        await server.run(`update baton_${kind}s set body = substr(body, 2) where ${ID_COLUMNS[kind]} = '${id}'`, url);
      },
      copy: async (kind, from, to) => {
        const column = ID_COLUMNS[kind];
        const text = `update baton_${kind}s set body = (
          select body from baton_${kind}s where ${column} = '${from}') where ${column} = '${to}'`;
        await server.run(text, url);
      },
      countRequests: async () => countRows(url, "baton_requests"),
      countDocuments: async () => countRows(url, "baton_documents"),
      async [Symbol.asyncDispose]() {
        await Promise.all([first[Symbol.asyncDispose](), second[Symbol.asyncDispose]()]);
      },
    };
  };

  const own = (): void => {
    testOpening(() => server);
    testFencing(() => server);
    testRepeating(() => server);
  };
  const promised = (): void => testDatabase("Postgres", openPair);
  const damaged = (): void => testDamage("Postgres", openPair);
  const losing = (): void => testLosses(() => server);
  const sharing = (): void => testSharing(() => server);
  const spending = (): void => testSpending(() => server);
  for (const play of inSlice([own, promised, damaged, losing, sharing, spending])) play();
});

/** The ledger keeps the promises of every ledger. */
function testSpending(server: ServerOf): void {
  describe("with a ledger", () => {
    let connection: PostgresConnection;
    before(async () => {
      connection = new PostgresConnection(await server().newSchema());
      await makeTables(connection);
    });
    after(async () => connection[Symbol.asyncDispose]());

    testLedger("Postgres", (clock) => {
      const ledger = postgresLedger(connection, () => clock.now());
      let emptied: Promise<unknown> | undefined;
      return {
        reserve: async (accounts, worst) => {
          emptied ??= connection.ask({ text: "delete from baton_pages" }, []);
          await emptied;
          return ledger.reserve(accounts, worst);
        },
      };
    });
  });
}

type ServerOf = () => PostgresServer;

/** A new database, closed at the end of the block. */
async function openNew(server: PostgresServer): Promise<Database & { readonly url: string }> {
  const url = await server.newSchema();
  return Object.assign(await openPostgres({ url }), { url });
}

/** A connection of a program that is not Baton. */
async function connectTo(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: async () => client.end() });
}

async function countRows(url: string, table: "baton_requests" | "baton_documents"): Promise<number> {
  await using client = await connectTo(url);
  const { rows } = await client.query<{ count: number }>(`select count(*)::integer as count from ${table}`);
  return rows[0]?.count ?? 0;
}

function testOpening(server: ServerOf): void {
  test("of several that open a new database at once, one makes the tables", async () => {
    const url = await server().newSchema();
    const opened = await Promise.all(Array.from({ length: 5 }, async () => openPostgres({ url })));
    await using client = await connectTo(url);
    assert.deepEqual((await client.query("select version from baton_schema")).rows, [{ version: 10 }]);
    for (const database of opened) {
      assert.equal(await database.logs.length("a"), 0);
      await database[Symbol.asyncDispose]();
    }
  });

  const others = [
    [99, /newer Baton \(schema 99, this one has 10\): install that version/],
    [8, /before the first release \(schema 8, this one has 10\): export its runs with that one/],
  ] as const;
  for (const [version, message] of others) {
    test(`tables of another Baton are refused and not changed: schema ${version}`, async () => {
      await using database = await openNew(server());
      await server().run(`update baton_schema set version = ${version}`, database.url);
      await assert.rejects(openPostgres({ url: database.url }), { name: "BatonError", code: "conflict", message });
      await using client = await connectTo(database.url);
      assert.deepEqual((await client.query("select version from baton_schema")).rows, [{ version }]);
    });
  }

  test("a refused login says what to do, and no message names the password", async () => {
    const url = new URL(server().url());
    const secret = "p4ssw0rd-of-mine";
    const cases: readonly [url: string, code: string, message: RegExp][] = [
      [`postgres://baton:${secret}@${url.host}/postgres`, "invalid", /user or the password: check both in its URL/],
      [server().url("nowhere"), "invalid", /no database at 127\.0\.0\.1:\d+\/nowhere: create it/],
      [`postgres://baton:${secret}@127.0.0.1:1/x`, "closed", /127\.0\.0\.1:1\/x cannot be reached \(ECONNREFUSED\)/],
      [`postgres://baton:${secret}@no.such.host.invalid/x`, "closed", /cannot be reached .*check that it runs/],
      [`mysql://baton:${secret}@127.0.0.1/x`, "invalid", /must look like postgres:/],
      [`baton:${secret}`, "invalid", /must look like postgres:/],
    ];
    for (const [wrong, code, message] of cases) {
      await assert.rejects(openPostgres({ url: wrong }), (error: Error & { code?: string }) => {
        assert.equal(error.code, code, error.message);
        assert.match(error.message, message);
        assert.ok(!`${error.stack}`.includes(secret));
        return true;
      });
    }
  });
}

function testLosses(server: ServerOf): void {
  test("what is asked while the server is down is refused, and works once it is back, written once", async () => {
    await using database = await openNew(server());
    const claim = await hold(database, "run:a", "one");
    await database.commit([{ claim, batch: toBatch("a", 1, ["1"]) }]);
    await server().crash();
    const change = { claim, run: recordOf("a"), batch: toBatch("a", 2, ["2"]) };
    await assert.rejects(database.commit([change]), { name: "BatonError", code: "closed", retryable: true });
    await assert.rejects(database.runs.find("a"), { code: "closed" });
    await assert.rejects(async () => database.ledger.reserve([], { tokens: 1, usd: 0 }), { code: "closed" });
    await server().start();
    assert.deepEqual(await database.commit([change]), []);
    assert.deepEqual(await linesOf(database, "a"), ["1", "2"]);
  });

  test(
    "connections that are cut in the middle fail what was under way, and nothing else ever",
    LIMITED,
    async ({ signal }) => {
      await using database = await openNew(server());
      await using other = await connectTo(database.url);
      const claim = await hold(database, "run:a", "one");
      await other.query("begin; lock table baton_logs");
      const asked = Promise.allSettled([
        database.commit([{ claim, batch: toBatch("a", 1, ["1"]) }]),
        database.logs.length("a"),
        database.logs.length("b"),
      ]);
      await waiting(other, 3, signal);
      await other.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'baton'");
      assert.deepEqual(
        (await asked).map(({ status }) => status),
        ["rejected", "rejected", "rejected"],
      );
      await other.query("rollback");
      await database.commit([{ claim, batch: toBatch("a", 1, ["1"]) }]);
      assert.deepEqual(await linesOf(database, "a"), ["1"]);
    },
  );

  test("a connection that breaks between two statements of a transaction fails it, and nothing else", async () => {
    const url = await server().newSchema();
    await using connection = new PostgresConnection(url);
    await using other = await connectTo(url);
    const broken = connection.transaction(async (ask) => {
      const [row] = await ask<{ readonly pid: number }>({ text: "select pg_backend_pid() as pid" }, []);
      await other.query("select pg_terminate_backend($1, 10000)", [row?.pid]);
      await sleep(50);
      await ask({ text: "select 1" }, []);
    });
    await assert.rejects(broken, { name: "BatonError", code: "closed" });
    assert.deepEqual(await connection.ask({ text: "select 1 as one" }, []), [{ one: 1 }]);
  });

  test("watchers are called after the server was down, and keep being called", LIMITED, async () => {
    await using database = await openNew(server());
    const claim = await hold(database, "run:a", "one");
    let woken = Promise.withResolvers<void>();
    const next = async (): Promise<void> => {
      await woken.promise;
      woken = Promise.withResolvers<void>();
    };
    database.logs.watch("a", () => woken.resolve());
    await next();
    await server().crash();
    await server().start();
    await next();
    await database.commit([{ claim, batch: toBatch("a", 1, ["1"]) }]);
    await next();
  });

  test("a record or message that cannot be parsed is damaged, and the others are not", async () => {
    await using database = await openNew(server());
    await save(database, [recordOf("a"), recordOf("b")]);
    const claim = await hold(database, "session:t:ann:s", "one");
    const session = { id: "s", ...ANN, createdAt: 1, updatedAt: 1 };
    const messages = { ...ANN, session: "s", run: "a", messages: ['"hello"'] };
    await database.commit([{ claim, session, messages }]);
    await server().run(
      `update baton_runs set body = replace(body, '"turns"', 'turns') where id = 'a';
       update baton_sessions set body = replace(body, '"createdAt"', '"createdIn"');
       update baton_messages set body = replace(body, '[', '')`,
      database.url,
    );
    await assert.rejects(database.runs.find("a"), { code: "damaged", message: "what is stored of run a is damaged" });
    assert.deepEqual(await database.runs.find("b"), recordOf("b"));
    await assert.rejects(database.sessions.find(ANN, "s"), { code: "damaged" });
    await assert.rejects(database.sessions.messages(ANN, "s"), { code: "damaged" });
  });
}

/** Waits until so many statements of Baton wait for a lock. */
async function waiting(client: Client, count: number, abort: AbortSignal): Promise<void> {
  const text = `select from pg_stat_activity
    where datname = current_database() and application_name = 'baton' and wait_event_type = 'Lock'`;
  do {
    abort.throwIfAborted();
    // Within a transaction the server would show the same again and again.
    await client.query("select pg_stat_clear_snapshot()");
  } while ((await client.query(text)).rows.length < count);
}

function testFencing(server: ServerOf): void {
  test("a commit that meets a takeover waits for it, and then writes nothing", LIMITED, async ({ signal }) => {
    await using database = await openNew(server());
    await using other = await connectTo(database.url);
    const claim = await hold(database, "run:a", "one");
    await other.query("begin; update baton_claims set owner = 'two'");
    const lost = database.commit([{ claim, run: recordOf("a"), batch: toBatch("a", 1, ["1"]) }]);
    await waiting(other, 1, signal);
    await other.query("commit");
    assert.deepEqual(await lost, ["run:a"]);
    assert.equal(await database.runs.find("a"), undefined);
    assert.equal(await database.logs.length("a"), 0);
  });

  test(
    "a process that creates a run while another one does waits for that, and then writes nothing",
    LIMITED,
    async ({ signal }) => {
      await using database = await openNew(server());
      await using second = await openPostgres({ url: database.url });
      await using other = await connectTo(database.url);
      const one = await hold(database, "session:t:one", "one");
      const two = await hold(second, "session:t:two", "two");
      const first = { claim: one, creates: true, run: recordOf("a", { input: "first" }) };
      const late = { claim: two, creates: true, run: recordOf("a"), batch: toBatch("a", 1, ["1"]) };
      await other.query(
        "begin; insert into baton_runs values ('a', 'a', 't', 'u', 'c', null, null, 'queued', null, 1, 1, '')",
      );
      const created = database.commit([first]);
      await waiting(other, 1, signal);
      const lost = second.commit([late]);
      await waiting(other, 2, signal);
      await other.query("rollback");
      assert.deepEqual(await created, []);
      assert.deepEqual(await lost, ["session:t:two"]);
      assert.equal((await database.runs.find("a"))?.input, "first");
      assert.equal(await database.logs.length("a"), 0);
    },
  );

  test("a takeover that meets a commit waits for it, and then sees what it wrote", LIMITED, async ({ signal }) => {
    await using database = await openNew(server());
    await using second = await openPostgres({ url: database.url });
    await using other = await connectTo(database.url);
    const claim = await hold(database, "run:a", "one");
    await database.claims.renew("one", 0);
    await other.query("begin; insert into baton_logs values ('a', 1)");
    const written = database.commit([{ claim, batch: toBatch("a", 1, ["1"]) }]);
    await waiting(other, 1, signal);
    const taken = second.claims.take({ key: "run:a", owner: "two", number: 1 });
    await waiting(other, 2, signal);
    await other.query("rollback");
    assert.equal(await taken, true);
    assert.equal(await second.logs.length("a"), 1);
    assert.deepEqual(await written, []);
  });

  test("a claim may begin and end with one commit, and is anybody's afterwards", async () => {
    await using database = await openNew(server());
    for (const owner of ["one", "two"]) await database.claims.renew(owner, 60_000);
    const claim = { key: "session:t:ann:s", owner: "one", number: 1 };
    const change = { claim, begins: true, ends: true, batch: toBatch("a", 1, ["1"]) };
    for (let tries = 0; tries < 2; tries++) assert.deepEqual(await database.commit([change]), []);
    assert.deepEqual(await database.commit([{ claim, batch: toBatch("a", 2, ["2"]) }]), [claim.key]);
    const theirs = { claim: { ...claim, owner: "two" }, begins: true, batch: toBatch("a", 2, ["2"]) };
    for (let tries = 0; tries < 2; tries++) assert.deepEqual(await database.commit([theirs]), []);
    const late = { claim: { ...claim, number: 2 }, begins: true, ends: true, batch: toBatch("a", 3, ["3"]) };
    assert.deepEqual(await database.commit([late]), [claim.key]);
    assert.deepEqual(await database.commit([{ claim: theirs.claim, ends: true, run: recordOf("a") }]), []);
    assert.equal(await database.claims.take({ ...claim, number: 3 }), true);
    assert.deepEqual(await linesOf(database, "a"), ["1", "2"]);
  });
}

function testRepeating(server: ServerOf): void {
  test("a commit that gave its claim back may be repeated, and no other under that claim", async () => {
    await using database = await openNew(server());
    const claim = await hold(database, "run:a", "one");
    const change = { claim, ends: true, run: recordOf("a"), batch: toBatch("a", 1, ["1"]) };
    for (let tries = 0; tries < 2; tries++) assert.deepEqual(await database.commit([change]), []);
    assert.deepEqual(await database.commit([{ ...change, batch: toBatch("a", 1, ["other"]) }]), ["run:a"]);
    assert.deepEqual(await database.commit([{ ...change, batch: toBatch("a", 2, ["2"]) }]), ["run:a"]);
    assert.deepEqual(await database.commit([{ claim, batch: change.batch }]), ["run:a"]);
    assert.deepEqual(await linesOf(database, "a"), ["1"]);
  });
}

function testSharing(server: ServerOf): void {
  test("five hundred changes of twenty events each are one commit", async () => {
    await using database = await openNew(server());
    const claim = await hold(database, "run:all", "one");
    const lines = Array.from({ length: 20 }, (_, index) => JSON.stringify({ seq: index + 1, text: "ü".repeat(200) }));
    const changes = Array.from({ length: 500 }, (_, index) => ({
      claim,
      run: recordOf(`r${index}`),
      batch: toBatch(`r${index}`, 1, lines),
    }));
    assert.deepEqual(await database.commit(changes), []);
    for (const run of ["r0", "r499"])
      assert.deepEqual(toLines(run, 0, await database.logs.batches(run, 0, 1_000_000)), lines);
    assert.equal((await database.runs.list({ limit: 1_000 })).length, 500);
  });

  test("what a process had reserved before it ended stays reserved, until it is settled after all", async () => {
    await using database = await openNew(server());
    const cap: Cap = { name: "max_tokens", measure: "tokens", max: 100, alertAt: 0.5 };
    const accounts = [{ id: "crew\u0000c", caps: [cap] }];
    const reserved = await database.ledger.reserve(accounts, { tokens: 50, usd: 0 });
    assert.ok(reserved.ok);
    const next = await database.ledger.reserve(accounts, { tokens: 10, usd: 0 });
    assert.ok(next.ok);
    assert.deepEqual(await next.settle({ tokens: 10, usd: 0 }), []);
    await reserved.settle({ tokens: 20, usd: 0 });
    const full = await database.ledger.reserve(accounts, { tokens: 71, usd: 0 });
    assert.deepEqual(full, { ok: false, refusal: { account: "crew\u0000c", cap, used: 30 } });
  });
}
