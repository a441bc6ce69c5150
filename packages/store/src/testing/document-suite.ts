/**
 * Document suite: what a database promises of documents: how they are written, by whom, and what is refused.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import type { Documents, NewDocument } from "@baton/core/ports";
import type { Owner } from "../owner.ts";
import { ANN, type OpenPair } from "./database-pair.ts";

/** Owners that differ only in where one name ends and the next begins, or in how names are escaped. */
const ALIKE: readonly Owner[] = [
  { tenant: "a", user: "b" },
  { tenant: "a:b", user: "" },
  { tenant: "", user: "a:b" },
  { tenant: 'a","b', user: "c" },
  { tenant: "a", user: 'b","c' },
];
const HOUR = 3_600_000;

/** Tests what is promised of documents. */
export function testDocuments(open: OpenPair): void {
  testWriting(open);
  testVersions(open);
  testRefusals(open);
  testApart(open);
}

function testWriting(open: OpenPair): void {
  test("a document comes back as it was written, whatever is in it, for every handle", async () => {
    await using pair = await open();
    const data: Json = {
      ["__proto__"]: null,
      "": [1e-9, -1, true, "\u0000 \uD800 'quotes\" 🎼 \u2028"],
      nested: [[{}]],
    };
    const index = { symbol: "NVDA 'x'", at: -1.5 };
    const written = await pair.first
      .documents(ANN)
      .put("alerts", { id: "price/NVDA:1", data, index, session: "s '1", ttlMs: HOUR });
    assert.partialDeepStrictEqual(written, { collection: "alerts", id: "price/NVDA:1", data, index, session: "s '1" });
    assert.equal(written.expiresAt, written.updatedAt + HOUR);
    assert.ok(Math.abs(written.updatedAt - pair.now()) < HOUR);
    for (const database of [pair.first, pair.second]) {
      assert.deepEqual(await database.documents(ANN).get("alerts", "price/NVDA:1"), written);
      assert.deepEqual((await database.documents(ANN).list("alerts")).documents, [written]);
    }
    assert.equal(await pair.first.documents(ANN).get("other", "price/NVDA:1"), undefined);
  });

  test("a write replaces the whole document: index, text, vector, session and time to live", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    await documents.put("notes", {
      id: "a",
      data: 1,
      index: { kind: "old" },
      text: "old",
      vector: [1, 0],
      ttlMs: HOUR,
    });
    const written = await documents.put("notes", { id: "a", data: null });
    assert.deepEqual(Object.keys(written).toSorted(), ["collection", "data", "id", "updatedAt", "version"]);
    assert.deepEqual(await documents.get("notes", "a"), written);
    assert.deepEqual((await documents.list("notes", { where: { kind: "old" } })).documents, []);
    assert.deepEqual(await documents.search("notes", { text: "old" }), []);
    assert.deepEqual(await documents.nearest("notes", { vector: [1, 0] }), []);
  });

  test("several documents are written together or not at all, and given in their order", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    const many = Array.from({ length: 50 }, (_, index) => ({
      id: `d${(index * 7) % 50}`,
      data: index,
      text: `t${index}`,
    }));
    const written = await documents.putAll("notes", many);
    assert.deepEqual(
      written.map(({ id, data }) => ({ id, data })),
      many.map(({ id, data }) => ({ id, data })),
    );
    const wrong = [
      { id: "new", data: 1 },
      { id: "d3", data: 1, version: 1_000_000 },
      { id: "last", data: 1 },
    ];
    await assert.rejects(documents.putAll("notes", wrong), { code: "conflict", message: /notes\/d3 has version \d+/ });
    assert.equal((await pair.second.documents(ANN).list("notes")).documents.length, 50);
    assert.deepEqual(await documents.putAll("notes", []), []);
  });

  test("a closed handle says that it is closed", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    await pair.first[Symbol.asyncDispose]();
    for (const asked of [documents.get("a", "b"), documents.put("a", { id: "b", data: 1 }), documents.list("a")])
      await assert.rejects(asked, { code: "closed" });
  });
}

function testVersions(open: OpenPair): void {
  test("a write that names the version it saw is done, and one that names another is refused and changes nothing", async () => {
    await using pair = await open();
    const [ours, theirs] = [pair.first.documents(ANN), pair.second.documents(ANN)];
    const first = await ours.put("core", { id: "me", data: "one", version: 0 });
    await assert.rejects(theirs.put("core", { id: "me", data: "x", version: 0 }), {
      code: "conflict",
      message: `document core/me exists already, with version ${first.version}: read it again, then try again`,
    });
    const second = await theirs.put("core", { id: "me", data: "two", version: first.version });
    assert.ok(second.version > first.version);
    await assert.rejects(ours.put("core", { id: "me", data: "x", version: first.version }), {
      code: "conflict",
      message: new RegExp(`has version ${second.version}, not version ${first.version}: read it again`),
    });
    await assert.rejects(ours.delete("core", "me", first.version), { code: "conflict" });
    assert.deepEqual(await ours.get("core", "me"), second);
    const third = await ours.put("core", { id: "me", data: "three" });
    assert.ok(third.version > second.version);
    assert.equal(await theirs.delete("core", "me", third.version), true);
    assert.equal(await theirs.delete("core", "me"), false);
  });

  test("a version of a document that was deleted is never valid again", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    const { version } = await documents.put("core", { id: "me", data: "one" });
    await documents.delete("core", "me");
    const gone = { code: "conflict", message: /core\/me does not exist any more; version \d+ was expected/ };
    await assert.rejects(documents.put("core", { id: "me", data: "x", version }), gone);
    await assert.rejects(documents.delete("core", "me", version), gone);
    const again = await documents.put("core", { id: "me", data: "two", version: 0 });
    assert.ok(again.version > version);
    await assert.rejects(documents.put("core", { id: "me", data: "x", version }), { code: "conflict" });
    assert.deepEqual(await documents.get("core", "me"), again);
  });

  test("of several writers with one version one wins, the others get an error, and nothing is lost", async () => {
    await using pair = await open();
    const writers = [pair.first, pair.second, pair.first, pair.second].map((database) => database.documents(ANN));
    const add = async (documents: Documents, name: string): Promise<void> => {
      for (;;) {
        const seen = await documents.get("lists", "all");
        const data = `${typeof seen?.data === "string" ? seen.data : ""}${name} `;
        const write = documents.put("lists", { id: "all", data, version: seen?.version ?? 0 });
        const [{ status }] = await Promise.allSettled([write]);
        if (status === "fulfilled") return;
        await assert.rejects(write, { code: "conflict" });
      }
    };
    const names = writers.flatMap((_, writer) => ["a", "b", "c"].map((name) => `${name}${writer}`));
    await Promise.all(writers.flatMap((one, writer) => ["a", "b", "c"].map((name) => add(one, `${name}${writer}`))));
    const all = await pair.first.documents(ANN).get("lists", "all");
    assert.ok(typeof all?.data === "string");
    assert.deepEqual(all.data.trim().split(" ").toSorted(), names.toSorted());
  });
}

function testRefusals(open: OpenPair): void {
  const put = (more: Partial<NewDocument>) => (documents: Documents) =>
    documents.put("notes", { id: "a", data: 1, ...more });
  const nest = (levels: number): Json => {
    let inner: Json = [];
    for (let level = 0; level < levels; level++) inner = [inner];
    return inner;
  };
  const cyclic: { self?: object } = {};
  cyclic.self = cyclic;
  const cases: readonly [message: RegExp, ask: (documents: Documents) => Promise<unknown>][] = [
    [/"Notes" is not a collection: write a-z, 0-9, _ and -/, (documents) => documents.get("Notes", "a")],
    [/"" is not a collection/, (documents) => documents.list("")],
    [/"a b" is not an id in notes: write 1 to 256/, put({ id: "a b" })],
    [/is not an id in notes/, put({ id: "x".repeat(257) })],
    [/is not an id in notes/, (documents) => documents.delete("notes", "")],
    [/notes\/a: its data has 1025 KB; at most 1,024 KB/, put({ data: "é".repeat(524_500) })],
    [/notes\/a: its data is not JSON, or is nested more than 1,000 levels/, put({ data: nest(2_000) })],
    [/notes\/a: its data is not JSON/, put(Object.assign({ data: 1 }, { data: cyclic }))],
    [/notes\/a: its data is not JSON/, put(Object.assign({ data: 1 }, { data: undefined }))],
    [/notes\/a: version is 1.5; it must be 0 or the version/, put({ version: 1.5 })],
    [/notes\/a: version is -1/, (documents) => documents.delete("notes", "a", -1)],
    [/notes\/a: ttlMs is 0; it must be above 0/, put({ ttlMs: 0 })],
    [/notes\/a: index "__proto__" is not a name/, put({ index: { ["__proto__"]: 1 } })],
    [/notes\/a: index "at" is NaN, not a finite number/, put({ index: { at: Number.NaN } })],
    [/notes\/a: index "name" has 257 characters; at most 256/, put({ index: { name: "x".repeat(257) } })],
    [/notes\/a: index "name" has half a surrogate pair/, put({ index: { name: "\uD800" } })],
    [
      /notes\/a: its index has 17 names; at most 16/,
      put({ index: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`n${n}`, n])) }),
    ],
    [/notes\/a: its text has 65537 characters; at most 65536/, put({ text: "x".repeat(65_537) })],
    [/the vector has 0 dimensions; 1 to 8192/, put({ vector: [] })],
    [/the vector has no direction: give finite numbers that are not all 0/, put({ vector: [0, 0] })],
    [/the vector has no direction/, (documents) => documents.nearest("notes", { vector: [Number.NaN] })],
    [
      /notes\/a: it is written twice at once/,
      (documents) =>
        documents.putAll("notes", [
          { id: "a", data: 1 },
          { id: "a", data: 2 },
        ]),
    ],
    [/limit is 0; it must be 1 to 1000/, (documents) => documents.list("notes", { limit: 0 })],
    [/limit is 1001/, (documents) => documents.search("notes", { text: "a", limit: 1_001 })],
    [/after is not the `next` of a page/, (documents) => documents.list("notes", { after: "a" })],
    [/after is not the `next` of a page/, (documents) => documents.list("notes", { after: " \u0000" })],
    [/index "a b" is not a name/, (documents) => documents.list("notes", { orderBy: "a b" })],
    [/the search has 33 words; at most 32/, (documents) => documents.search("notes", { text: "word ".repeat(33) })],
  ];

  test("what cannot be kept is refused with what is wrong with it, and nothing is written", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    for (const [message, ask] of cases) await assert.rejects(ask(documents), { code: "invalid", message });
    assert.deepEqual(await documents.list("notes"), { documents: [] });
  });

  test("what is as large as it may be is kept", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    const index = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`n${n}`, "字".repeat(256)]));
    const text = Array.from({ length: 16_384 }, (_, n) => `각${String.fromCodePoint(0xac00 + (n % 11_000))} `).join("");
    const id = "x".repeat(256);
    const data = "é".repeat(524_287);
    await documents.put("notes", {
      id,
      data,
      index,
      text: text.slice(0, 65_536),
      vector: Array.from({ length: 8_192 }, () => 1),
    });
    assert.equal((await documents.get("notes", id))?.data, data);
    assert.equal((await documents.list("notes", { where: index })).documents.length, 1);
    assert.equal((await documents.search("notes", { text: "각가 각나" })).length, 1);
  });
}

function testApart(open: OpenPair): void {
  test("another owner finds none of a document, by no way, and cannot change it", async () => {
    await using pair = await open();
    const same = { id: "a", text: "gold", vector: [1, 0], index: { kind: "fact" }, session: "s" };
    for (const [data, owner] of ALIKE.entries()) await pair.first.documents(owner).put("facts", { ...same, data });
    for (const [data, owner] of ALIKE.entries()) {
      const documents = pair.second.documents(owner);
      assert.equal((await documents.get("facts", "a"))?.data, data);
      const found = [
        ...(await documents.list("facts")).documents,
        ...(await documents.list("facts", { where: { kind: "fact" } })).documents,
        ...(await documents.list("facts", { orderBy: "kind" })).documents,
        ...(await documents.search("facts", { text: "gold" })),
        ...(await documents.nearest("facts", { vector: [1, 0] })),
      ];
      assert.deepEqual(
        found.map((document) => document.data),
        Array.from({ length: 5 }, () => data),
      );
    }
    const [first = ANN, ...others] = ALIKE;
    assert.equal(await pair.first.documents(first).delete("facts", "a"), true);
    for (const owner of others) assert.notEqual(await pair.first.documents(owner).get("facts", "a"), undefined);
    const stranger = pair.first.documents({ tenant: "a", user: "stranger" });
    assert.equal(await stranger.delete("facts", "a"), false);
    assert.deepEqual(await stranger.search("facts", { text: "g" }), []);
  });
}
