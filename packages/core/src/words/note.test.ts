import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "../engine/engine.ts";
import { ToolError } from "./error.ts";
import { fold } from "./fold.ts";
import { type Json, parseJson } from "./json.ts";
import { toNote } from "./note.ts";
import { toResult } from "../handle/run-result.ts";
import { collect, of, play } from "../testing/crew-runs.ts";
import { type CallContext, defineTool, type Tool } from "../definitions/tool.ts";

const tool = (
  run: (context: CallContext) => unknown,
  more: Partial<Pick<Tool, "digest" | "permission" | "effect">> = {},
) =>
  defineTool({
    name: "Look",
    description: "Looks.",
    effect: "read",
    input: z.any(),
    run: (_, context) => run(context),
    ...more,
  });

const crewOf = (...tools: readonly Tool[]) =>
  defineCrew({ name: "t", tools, agents: [{ id: "a", tools: tools.map(({ name }) => name), isTerminal: true }] });

const LOOKING = { a: [{ call: [{ tool: "Look", args: { of: "it" } }] }, { say: "ok" }] };

suite("a note", () => {
  test("of a tool is written with the call's result, and the run's result is the same without it", async () => {
    const played = await play(crewOf(tool(({ note }) => note("source", { url: "u" }))), LOOKING);
    const [note] = of(played.events, "note.made");
    assert.deepEqual([note?.kind, note?.of, note?.agent, note?.data], ["source", "1.1.1", "a", { url: "u" }]);
    const at = played.events.findIndex(({ type }) => type === "note.made");
    assert.equal(played.events[at + 1]?.type, "call.ended");
    const without = played.events.filter(({ type }) => type !== "note.made");
    assert.deepEqual(toResult(fold(played.events)), toResult(fold(without)));
  });

  test("of an attempt that fails is not written: only those of the last one are", async () => {
    let tries = 0;
    const flaky = tool(({ note }) => {
      note("try", ++tries);
      if (tries < 3) throw new ToolError("temporary", "again");
      return "ok";
    });
    const { events } = await play(crewOf(flaky), LOOKING);
    assert.deepEqual(
      of(events, "note.made").map(({ data }) => data),
      [3],
    );
  });

  test("of a tool that has ended goes nowhere", async () => {
    const kept: CallContext[] = [];
    const { engine, events, run } = await play(crewOf(tool((context) => kept.push(context))), LOOKING);
    kept[0]?.note("late", 1);
    await engine[Symbol.asyncDispose]();
    assert.equal(of(events, "note.made").length, 0);
    assert.equal((await collect(run)).events.length, events.length);
  });

  test("of a model's reply that starts again is not written", async () => {
    const usage = { inputTokens: 0, outputTokens: 0 };
    const engine = new Engine({
      model: () => ({
        name: "m",
        async *stream() {
          yield [
            { type: "note", kind: "first", data: 1 },
            { type: "restart", reason: "backup" },
          ];
          yield [
            { type: "note", kind: "second", data: 2 },
            { type: "text", text: "ok" },
            { type: "end", finish: "stop", usage },
          ];
        },
      }),
    });
    const { events } = await collect(engine.start(crewOf(), { input: "x" }));
    assert.deepEqual(
      of(events, "note.made").map(({ kind, of: step }) => [kind, step]),
      [["second", "1.1"]],
    );
  });

  test("has a kind that is a short name", () => {
    for (const kind of ["a", "crew.intent", "chart:line", "a/b-c_d", "x".repeat(128)]) {
      assert.equal(toNote({ kind, data: null }, "1.1", "a").kind, kind);
    }
    for (const kind of ["", "a b", "<b>", "x".repeat(129), "é"]) {
      assert.throws(() => toNote({ kind, data: null }, "1.1", "a"), {
        message: `"${kind}" is not a valid kind of note: use 1 to 128 letters, digits, and . : / _ -`,
      });
    }
  });

  test("keeps any JSON of at most 256 KB as it was when it was written", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const data: Json = parseJson(text) ?? null;
        assert.deepEqual(toNote({ kind: "k", data }, "1.1", "a").data, data);
      }),
    );
    const list = [1];
    const kept = toNote({ kind: "k", data: list }, "1.1", "a");
    list.push(2);
    assert.deepEqual(kept.data, [1]);
    assert.ok(toNote({ kind: "k", data: "x".repeat(262_142) }, "1.1", "a"));
    const tooLong = { message: "note k has 257 KB; at most 256 KB are kept" };
    assert.throws(() => toNote({ kind: "k", data: "x".repeat(262_143) }, "1.1", "a"), tooLong);
    assert.throws(() => toNote({ kind: "k", data: "é".repeat(131_072) }, "1.1", "a"), tooLong);
  });

  test("of 300 KB makes the call fail with that message, and the run goes on", async () => {
    const { outcome, events } = await play(crewOf(tool(({ note }) => note("big", "x".repeat(307_198)))), LOOKING);
    assert.equal(outcome, "done");
    const [ended] = of(events, "call.ended");
    assert.equal(ended?.error?.message, "note big has 300 KB; at most 256 KB are kept");
    assert.equal(of(events, "note.made").length, 0);
  });

  test("is told beside state of 1 MB, which a tool may not set either", async () => {
    const big = tool(({ state }) => state.set("k", "x".repeat(1_048_577)));
    const { outcome, events } = await play(crewOf(big), LOOKING);
    const [ended] = of(events, "call.ended");
    assert.equal(ended?.error?.message, 'state "k" has 1,048,577 characters; at most 1 MiB is kept');
    assert.deepEqual([outcome, ended?.state], ["done", undefined]);
  });
});

/** A crew's tools come from files whose types may be unchecked. */
const isText = (said: unknown): said is string => said !== LOOKING;

suite("a digest", () => {
  test("is what the model reads; the log has both", async () => {
    const asked: Json[] = [];
    const digest = (output: Json, { call }: { call: string }) => {
      asked.push(output, call);
      return "2 rows";
    };
    const { events, history } = await play(crewOf(tool(() => ({ rows: [1, 2] }), { digest })), LOOKING);
    assert.deepEqual(asked, [{ rows: [1, 2] }, "1.1.1"]);
    const [ended] = of(events, "call.ended");
    assert.deepEqual([ended?.output, ended?.digest], [{ rows: [1, 2] }, "2 rows"]);
    assert.equal(history[2]?.content, "2 rows");
    assert.deepEqual(fold(events).history, history);
  });

  test("that fails or gives no text costs nothing but itself: a warning, and the model reads the output", async () => {
    const broken: readonly NonNullable<Tool["digest"]>[] = [
      () => {
        throw new Error("no rows");
      },
      (output) => (isText(output) ? output : ""),
    ];
    for (const digest of broken) {
      const { outcome, events, history } = await play(crewOf(tool(() => ["rows"], { digest })), LOOKING);
      assert.deepEqual([outcome, history[2]?.content], ["done", '["rows"]']);
      const [warning] = of(events, "warning.raised");
      assert.match(
        warning?.text ?? "",
        /^Look: its digest failed, so the model reads the output: (?:no rows|it gave no text)$/,
      );
      assert.equal(warning?.of, "1.1.1");
      assert.equal(of(events, "call.ended")[0]?.digest, undefined);
    }
  });

  test("is not asked of a call that failed", async () => {
    const failing = tool(
      () => {
        throw new ToolError("permanent", "gone");
      },
      { digest: () => assert.fail("there is no output") },
    );
    const { events } = await play(crewOf(failing), LOOKING);
    assert.deepEqual([of(events, "call.ended")[0]?.error?.message, of(events, "warning.raised").length], ["gone", 0]);
  });
});

suite("a permission hook", () => {
  test("is told whose call it is, for whom, and what the run knows", async () => {
    const seen: unknown[] = [];
    const guarded = tool(({ state }) => state.set("k", "v"), {
      permission: (args, { agent, run, call, user, session, tenant, state, messages }) => {
        const said = messages.map(({ content }) => content);
        seen.push([args, agent, run, call, user, session, tenant, state.get("k"), [...state.entries()].length, said]);
        return { decision: "allow" };
      },
    });
    const twice = {
      a: [{ call: [{ tool: "Look", args: { n: 1 } }] }, { call: [{ tool: "Look", args: { n: 2 } }] }, { say: "ok" }],
    };
    await play(crewOf(guarded), twice, { id: "r", user: "ann", session: "s", tenant: "acme", options: { o: 1 } });
    assert.deepEqual(seen, [
      [{ n: 1 }, "a", "r", "1.1.1", "ann", "s", "acme", undefined, 1, ["hello"]],
      [{ n: 2 }, "a", "r", "1.2.1", "ann", "s", "acme", "v", 2, ["hello", "", "null"]],
    ]);
  });

  test("cannot change what it is shown", async () => {
    const guarded = tool(() => "ok", {
      permission: (_, { state, messages }) => {
        assert.equal("set" in state, false);
        assert.throws(() => Reflect.apply(Array.prototype.push, messages[0], ["forged"]), TypeError);
        assert.ok(Object.isFrozen(messages[0]));
        return { decision: "allow" };
      },
    });
    const { events } = await play(crewOf(guarded), LOOKING);
    assert.equal(of(events, "permission.decided")[0]?.decision, "allow");
  });
});
