/** The cases of late-orders pass, with an interpreter for the clerk's code and no real refund. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { openDatabase, openStore } from "@baton/baton/store";
import { scriptModel } from "@baton/core";
import { evaluate, readCases } from "@baton/evals";
import { crew, interpreter, replies } from "./clerk-run.ts";

after(() => interpreter.close());

test("the cases of late-orders pass", async () => {
  const cases = await readCases([join(import.meta.dirname, "evals/cases.yaml")]);
  await using store = await openStore(await openDatabase({ data: "", store: "memory" }));
  const model = () => () => scriptModel(replies);
  const { results } = await evaluate({ crew, cases, store, version: "test", model });
  assert.deepEqual(
    results.map(({ case: id, status }) => [id, status]),
    [
      ["refunds", "pass"],
      ["counts", "pass"],
    ],
  );
});
