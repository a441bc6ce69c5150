import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetricsRegistry } from "../mount.ts";
import { defineMeter } from "./meters.ts";
import { createObserver } from "./observer.ts";

test("a product's metrics stand beside the server's, and none may have the name of another", async () => {
  const registry = createMetricsRegistry();
  const questions = defineMeter(registry).counter("assistant_questions_total", "Questions.", "query_type");
  questions.inc({ query_type: "price" });
  const metrics = new Map([["assistant", registry]]);
  const observer = createObserver({ crews: [], logLevel: "silent", metrics });
  assert.match(await observer.metricsText(), /^baton_assistant_questions_total\{query_type="price"\} 1$/m);
  assert.match(await observer.metricsText(), /^baton_active_runs 0$/m);
  const { metrics: all } = await observer.metricsJson();
  assert.ok(all.some(({ name }) => name === "baton_assistant_questions_total"));
  observer.close();
  defineMeter(registry).counter("runs_total", "The server has one.");
  assert.throws(
    () => createObserver({ crews: [], logLevel: "silent", metrics }),
    /assistant have a second baton_runs_total/,
  );
});
