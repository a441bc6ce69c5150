import assert from "node:assert/strict";
import { test } from "node:test";
import { RELAY } from "../testing/crews.ts";
import { startTestServer } from "../testing/test-server.ts";
import { toPlainModel } from "../runs/model-view.ts";

test("the models that a request may name are listed as the program describes them", async () => {
  const known = { ...toPlainModel("openai/gpt-5-mini"), default: true, window: 400_000 };
  await using server = await startTestServer([RELAY], {
    models: ["openai/gpt-5-mini"],
    listModels: async (names) => names.map((name) => ({ ...known, id: name })),
  });
  assert.deepEqual(await (await server.get("/api/models")).json(), { models: [known] });
  await using plain = await startTestServer([RELAY], { models: ["script"] });
  assert.deepEqual(await (await plain.get("/api/models")).json(), { models: [toPlainModel("script")] });
});
