import assert from "node:assert/strict";
import { test } from "node:test";
import { toBatch } from "./batch.ts";
import { openMemory } from "./sqlite/memory.ts";
import { readLines } from "./reader.ts";
import { hold, recordOf } from "./testing/database-pair.ts";

test("what another process adds while a log is read is read, and is not taken for damage", async () => {
  await using database = openMemory();
  const claim = await hold(database, "run:a", "one");
  await database.commit([{ claim, run: recordOf("a"), batch: toBatch("a", 1, ["1"]) }]);
  const length = database.logs.length.bind(database);
  // What is added between a look at the rows and one at the length.
  database.logs.length = async (run) => {
    await database.commit([{ claim, batch: toBatch("a", 2, ["2"]) }]);
    return length(run);
  };
  assert.deepEqual(await readLines(database, "a", 1), ["2"]);
});
