/** Documents with an index in Qdrant keep every promise of documents, whatever becomes of Qdrant. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openMemory } from "../sqlite/memory.ts";
import { ANN } from "../testing/database-pair.ts";
import { countRows } from "../testing/shared-memory.ts";
import { testFinding } from "../testing/document-finding-suite.ts";
import { testLifetimes } from "../testing/document-lifetime-suite.ts";
import { testDocuments } from "../testing/document-suite.ts";
import { QdrantIndex } from "./qdrant-index.ts";
import { openQdrantPair } from "./testing/qdrant-pair.ts";
import { type QdrantMood, QdrantServer } from "./testing/qdrant-server.ts";
import { withQdrant } from "./with-qdrant.ts";

const BOB = { tenant: "t", user: "bob" };
const idsOf = (documents: readonly { readonly id: string }[]) => documents.map(({ id }) => id);
const indexedIn = ({ points }: QdrantServer) => points.map(({ payload }) => String(payload["id"])).toSorted();
const queriesOf = ({ asked }: QdrantServer) => asked.filter((one) => one.endsWith("/query")).length;

describe("documents with an index in Qdrant are documents", { timeout: 120_000 }, () => {
  let server: QdrantServer;
  const opened: ReturnType<typeof openQdrantPair>[] = [];
  const openOne = async () => {
    const one = openQdrantPair(server);
    opened.push(one);
    return one;
  };
  before(async () => {
    server = await QdrantServer.start();
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    assert.deepEqual(server.problems, []);
    assert.deepEqual(
      opened.flatMap(({ warnings }) => warnings),
      [],
    );
    assert.ok(queriesOf(server) >= 10, `${queriesOf(server)} queries`);
  });
  testDocuments(openOne);
  testLifetimes(openOne);
  testFinding(openOne);
});

test("the nearest come from Qdrant, for one owner and collection, and are read from the store", async () => {
  await using server = await QdrantServer.start();
  const { first, second, data, prefix, warnings } = openQdrantPair(server);
  for (const owner of [ANN, BOB])
    await first.documents(owner).putAll("facts", [
      { id: "east", data: owner.user, vector: [3, 0] },
      { id: "north", data: owner.user, vector: [0, 3] },
    ]);
  await first.documents(ANN).put("others", { id: "east", data: 1, vector: [1, 0] });
  const [near] = await second.documents(ANN).nearest("facts", { vector: [1, 0.1], limit: 1 });
  assert.deepEqual([near?.id, near?.data], ["east", "ann"]);
  assert.equal(queriesOf(server), 1);
  assert.deepEqual([...server.collections.keys()], [`${prefix}_2`]);
  assert.deepEqual([...(server.collections.get(`${prefix}_2`)?.indexes ?? [])], ["tenant", "user", "collection"]);
  assert.equal(server.points.length, 5);
  assert.deepEqual(
    server.points
      .map(({ payload: { tenant, user, collection, id } }) => [tenant, user, collection, id].join(" "))
      .toSorted(),
    ["t ann facts east", "t ann facts north", "t ann others east", "t bob facts east", "t bob facts north"],
  );
  assert.equal(countRows(data, "documents"), 5);
  assert.deepEqual([server.problems, warnings], [[], []]);
});

test("a Qdrant that ignores the filter gives nothing of another owner", async () => {
  await using server = await QdrantServer.start();
  const { first, warnings } = openQdrantPair(server);
  await first.documents(ANN).put("facts", { id: "a", data: "ann's", vector: [1, 0] });
  await first.documents(BOB).put("facts", { id: "a", data: "bob's", vector: [1, 0] });
  server.mood = "unfiltered";
  const near = await first.documents(ANN).nearest("facts", { vector: [1, 0] });
  assert.deepEqual(
    near.map(({ data }) => data),
    ["ann's"],
  );
  assert.match(warnings.join(), /not what was asked for.*the store finds vectors/);
});

test("a document that was deleted, replaced or is over never comes back from the index", async () => {
  await using server = await QdrantServer.start();
  const { first, data, pass } = openQdrantPair(server);
  const documents = first.documents(ANN);
  const nearest = async () => idsOf(await documents.nearest("facts", { vector: [1, 0] }));
  await documents.putAll(
    "facts",
    ["a", "b", "c", "d", "e"].map((id, place) => ({ id, data: 1, vector: [1, place / 10] })),
  );
  await documents.put("facts", { id: "f", data: 1, vector: [1, 0], ttlMs: 1_000, session: "s" });
  assert.deepEqual(await nearest(), ["a", "f", "b", "c", "d", "e"]);
  await documents.delete("facts", "a");
  assert.equal(server.points.length, 5);
  await documents.put("facts", { id: "b", data: 2, vector: [-1, 0] });
  await documents.put("facts", { id: "c", data: 2 });
  // Another program, without the index, removes one and changes one.
  const others = data.open().documents(ANN);
  await others.delete("facts", "d");
  await others.put("facts", { id: "e", data: 3, vector: [0, 1] });
  await pass(1_000);
  assert.deepEqual(await nearest(), ["e", "b"]);
  assert.deepEqual(await nearest(), ["e", "b"]);
  assert.deepEqual(indexedIn(server), ["b", "e"]);
});

test("a document that another program has changed is found by its vector of now, not by that in the index", async () => {
  await using server = await QdrantServer.start();
  const { first, data } = openQdrantPair(server);
  const documents = first.documents(ANN);
  await documents.putAll("facts", [
    { id: "a", data: "old", vector: [1, 0] },
    { id: "b", data: 1, vector: [1, 1] },
  ]);
  assert.deepEqual(idsOf(await documents.nearest("facts", { vector: [1, 0] })), ["a", "b"]);
  await data
    .open()
    .documents(ANN)
    .put("facts", { id: "a", data: "new", vector: [-1, 0] });
  const near = await documents.nearest("facts", { vector: [1, 0] });
  assert.deepEqual(
    near.map(({ id, data: own, similarity }) => [id, own, similarity.toFixed(2)]),
    [
      ["b", 1, "0.71"],
      ["a", "new", "-1.00"],
    ],
  );
});

const FAULTS: readonly QdrantMood[] = ["500", "html", "empty"];
for (const mood of FAULTS) {
  test(`what is written while Qdrant answers with ${mood} is found at once, and in the index when it is back`, async () => {
    await using server = await QdrantServer.start();
    const { first, second, warnings, pass } = openQdrantPair(server);
    const documents = first.documents(ANN);
    const nearest = async (database = first) =>
      idsOf(await database.documents(ANN).nearest("facts", { vector: [1, 0] }));
    await documents.put("facts", { id: "before", data: 1, vector: [1, 0.2] });
    assert.deepEqual(await nearest(), ["before"]);
    server.mood = mood;
    await documents.put("facts", { id: "during", data: 1, vector: [1, 0.1] });
    await documents.put("facts", { id: "gone", data: 1, vector: [1, 0] });
    await documents.delete("facts", "gone");
    assert.deepEqual(await nearest(), ["during", "before"]);
    await pass(3_000);
    assert.deepEqual(await nearest(), ["during", "before"]);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0] ?? "",
      /^Qdrant cannot be used now \(--qdrant\): HTTP \d+.*; the store finds vectors until it is back$/,
    );
    server.mood = "well";
    await pass(3_000);
    const queries = queriesOf(server);
    assert.deepEqual(await nearest(), ["during", "before"]);
    assert.deepEqual(await nearest(second), ["during", "before"]);
    assert.equal(queriesOf(server), queries + 2);
    assert.deepEqual(indexedIn(server), ["before", "during"]);
    await documents.put("facts", { id: "after", data: 1, vector: [1, 0] });
    assert.deepEqual(await nearest(), ["after", "during", "before"]);
    assert.equal(warnings.length, 1);
  });
}

test(
  "a Qdrant that is not there, or is silent, is not waited for, and then not asked for a while",
  { timeout: 30_000 },
  async () => {
    const server = await QdrantServer.start();
    const { first, warnings, clock, pass } = openQdrantPair(server);
    const documents = first.documents(ANN);
    server.mood = "silent";
    const request = server.nextRequest();
    const put = documents.put("facts", { id: "a", data: 1, vector: [1] });
    await request;
    await clock.advance(3_000);
    await put;
    const asked = server.asked.length;
    assert.deepEqual(idsOf(await documents.nearest("facts", { vector: [1] })), ["a"]);
    assert.equal(server.asked.length, asked);
    assert.match(warnings[0] ?? "", /no answer within 3000 ms/);
    await server[Symbol.asyncDispose]();
    await pass(120_000);
    assert.deepEqual(idsOf(await documents.nearest("facts", { vector: [1] })), ["a"]);
    assert.equal(await documents.delete("facts", "a"), true);
    assert.equal(warnings.length, 1);
  },
);

test("documents from before Qdrant was used are found in it, also in thousands", async () => {
  await using server = await QdrantServer.start();
  const { first, data } = openQdrantPair(server);
  const many = Array.from({ length: 2_300 }, (_, n) => ({ id: `${n}`, data: n, vector: [Math.sin(n), Math.cos(n)] }));
  await data.open().documents(ANN).putAll("facts", many);
  await data
    .open()
    .documents(ANN)
    .put("facts", { id: "flat", data: 1, vector: [1, 1, 1] });
  const near = await first.documents(ANN).nearest("facts", { vector: [1, 0], limit: 5 });
  const best = many.toSorted((one, other) => (other.vector[0] ?? 0) - (one.vector[0] ?? 0)).slice(0, 5);
  assert.deepEqual(idsOf(near), idsOf(best));
  assert.equal(server.points.length, 2_300);
  const asked = server.asked.length;
  await first.documents(ANN).nearest("facts", { vector: [0, 1] });
  assert.equal(server.asked.length, asked + 1);
});

test("collections that are gone, or of another dimension, are answered for by the store", async () => {
  await using server = await QdrantServer.start();
  const { first, warnings, prefix, pass } = openQdrantPair(server);
  const documents = first.documents(ANN);
  await documents.put("facts", { id: "a", data: 1, vector: [1, 0] });
  const nearest = async () => idsOf(await documents.nearest("facts", { vector: [1, 0] }));
  assert.deepEqual(await nearest(), ["a"]);
  server.collections.clear();
  assert.deepEqual(await nearest(), ["a"]);
  assert.match(warnings.join(), /HTTP 404.*doesn't exist/);
  await pass(3_000);
  assert.deepEqual(await nearest(), ["a"]);
  assert.equal(server.points.length, 1);
  server.collections.clear();
  server.collections.set(`${prefix}_2`, { size: 7, points: new Map(), indexes: new Set() });
  await pass(120_000);
  await documents.put("facts", { id: "b", data: 1, vector: [1, 0] });
  assert.deepEqual(await nearest(), ["a", "b"]);
  assert.match(warnings.join(), /expected dim: 7, got 2/);
});

test("a key in the address is sent as the API key and never shown", async () => {
  await using server = await QdrantServer.start("qdrant-secret");
  const warnings: string[] = [];
  const documentsOf = (url: string) => {
    const index = new QdrantIndex({ url, warn: (text) => warnings.push(text) });
    return withQdrant(openMemory().documents(ANN), { index, owner: ANN });
  };
  const good = documentsOf(server.url.replace("http://", "http://:qdrant-secret@"));
  await good.put("facts", { id: "a", data: 1, vector: [1, 0] });
  assert.equal(server.points.length, 1);
  const bad = documentsOf(server.url.replace("http://", "http://:qdrant-other@"));
  await bad.put("facts", { id: "a", data: 1, vector: [1, 0] });
  assert.deepEqual(warnings, [
    "Qdrant cannot be used now (--qdrant): HTTP 401: Invalid API key; the store finds vectors until it is back",
  ]);
});

test("an owner that is deleted leaves no point", async () => {
  await using server = await QdrantServer.start();
  const { first } = openQdrantPair(server);
  for (const owner of [ANN, BOB]) {
    await first.documents(owner).put("facts", { id: "a", data: 1, vector: [1, 0] });
    await first.documents(owner).put("facts", { id: "b", data: 1, vector: [1, 0, 0] });
  }
  await first.owners.delete(ANN);
  assert.deepEqual(
    server.points.map(({ payload }) => payload["user"]),
    ["bob", "bob"],
  );
});
