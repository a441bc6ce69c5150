import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { NO_RECORDED_CALLS } from "./call-log.ts";
import type { Json } from "../words/json.ts";
import type { Message } from "../words/message.ts";
import type { Chunk } from "./model.ts";
import { Scope } from "../lifetimes/scope.ts";
import { type ScriptEntry, scriptModel } from "./script.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

interface Ask {
  readonly says: string;
  readonly state?: Json | undefined;
  readonly attempt?: number;
  readonly hasTools?: boolean;
}

/** One call of the scripted model for the agent `a`, as one list of chunks. */
async function ask(entries: readonly ScriptEntry[], { says, state, attempt = 1, hasTools = true }: Ask) {
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const messages: readonly Message[] = [{ role: "user", content: says }];
  const tools = hasTools ? [{ name: "Ping", description: "", inputSchema: {} }] : [];
  const prompt = {
    run: "r",
    agent: "a",
    system: "",
    messages,
    tools,
    attempt,
    attempts: 4,
    values: new Map(),
    results: [],
    ...NO_RECORDED_CALLS,
  };
  const model = scriptModel({ a: entries });
  const chunks = (
    await Array.fromAsync(model.stream(state === undefined ? prompt : { ...prompt, state }, scope))
  ).flat();
  const text = chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("");
  const end = chunks.find((chunk): chunk is Chunk & { type: "end" } => chunk.type === "end");
  return { text, end: end?.end, state: end?.state };
}

const OTHERWISE: ScriptEntry = { say: "Ask me for one.", end: true, otherwise: true };

suite("an entry that is said otherwise", () => {
  const entries: readonly ScriptEntry[] = [{ when: "one", say: "One." }, OTHERWISE, { say: "More." }];

  test("it answers an input that fits no opening, and ends the run", async () => {
    assert.deepEqual(await ask(entries, { says: "two" }), { text: "Ask me for one.", end: true, state: [1] });
  });

  test("an input that fits an opening does not get it, now or later", async () => {
    const first = await ask(entries, { says: "ONE, please" });
    assert.deepEqual(first, { text: "One.", end: undefined, state: [0] });
    const second = await ask(entries, { says: "two", state: first.state });
    assert.deepEqual(second, { text: "More.", end: undefined, state: [0, 2] });
    assert.equal((await ask(entries, { says: "two", state: second.state })).text, "More.");
  });

  test("another agent's reply is not an input", async () => {
    assert.equal((await ask(entries, { says: "[desk] Over to you." })).text, "More.");
  });

  test("it is not the last say that repeats", async () => {
    const { text } = await ask([{ when: "one", say: "One." }, OTHERWISE], { says: "two", state: [0] });
    assert.equal(text, "One.");
  });

  test("an opening that failed or may not call was fitting all the same", async () => {
    const failing: readonly ScriptEntry[] = [{ when: "one", fail: "503", retryable: true }, ...entries.slice(1)];
    assert.equal((await ask(failing, { says: "one", attempt: 2 })).text, "More.");
    const calling: readonly ScriptEntry[] = [{ when: "one", call: [{ tool: "Ping" }] }, ...entries.slice(1)];
    assert.equal((await ask(calling, { says: "one", hasTools: false })).text, "More.");
  });
});
