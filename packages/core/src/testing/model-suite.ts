/**
 * Model suite: what every model promises, with any provider behind it.
 *
 * Run it with `testModel("name", make)`, where `make` gives a model that says at least one word, and may ask for the
 * tool `Look` when it is given.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { NO_RECORDED_CALLS } from "../ports/call-log.ts";
import { SystemClock } from "../lifetimes/clock.ts";
import { BatonError } from "../words/error.ts";
import type { Chunk, Model, Prompt } from "../ports/model.ts";
import { Scope } from "../lifetimes/scope.ts";

const PROMPT: Prompt = {
  agent: "a",
  system: "You are a test.",
  messages: [{ role: "user", content: "Say something." }],
  tools: [],
  attempt: 1,
  attempts: 1,
  values: new Map(),
  results: [],
  ...NO_RECORDED_CALLS,
  run: "r",
};

/** Tests a model's promises. */
export function testModel(name: string, make: () => Model): void {
  const read = async (model: Model, scope: Scope): Promise<Chunk[]> =>
    (await Array.fromAsync(model.stream(PROMPT, scope))).flat();

  describe(`${name} is a model`, () => {
    test("a reply is text that ends with one end, which says why and what it used", async () => {
      await using scope = Scope.root({ clock: new SystemClock() });
      const chunks = await read(make(), scope);
      const ends = chunks.filter(({ type }) => type === "end");
      const last = chunks.at(-1);
      assert.equal(ends.length, 1);
      assert.ok(last?.type === "end");
      assert.ok(last.usage.inputTokens >= 0 && last.usage.outputTokens >= 0);
      assert.ok(chunks.some((chunk) => chunk.type === "text" && chunk.text !== ""));
      assert.ok(!chunks.some(({ type }) => type === "call"), "it was given no tool");
    });

    test("what it says is JSON, so that it can be recorded", async () => {
      await using scope = Scope.root({ clock: new SystemClock() });
      const chunks = await read(make(), scope);
      assert.deepEqual(JSON.parse(JSON.stringify(chunks)), chunks);
    });

    test("one model serves two replies at once", async () => {
      await using scope = Scope.root({ clock: new SystemClock() });
      const model = make();
      const [one, two] = await Promise.all([read(model, scope), read(model, scope)]);
      assert.deepEqual(one, two);
    });

    test("it can be left before its end", async () => {
      await using scope = Scope.root({ clock: new SystemClock() });
      for await (const chunks of make().stream(PROMPT, scope)) {
        assert.ok(chunks.length > 0);
        break;
      }
    });

    test("in a cancelled scope it ends soon, with an error or without", { timeout: 10_000 }, async () => {
      const scope = Scope.root({ clock: new SystemClock() });
      await scope.cancel(new BatonError("cancelled", "stop"));
      await read(make(), scope).catch((error: unknown) => assert.ok(error instanceof Error));
    });
  });
}
