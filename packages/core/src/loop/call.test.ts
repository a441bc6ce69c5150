import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import type { CrewDefinition } from "../definitions/definition.ts";
import { Engine } from "../engine/engine.ts";
import { ToolError } from "../words/error.ts";
import type { Json } from "../words/json.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, of, play } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { type CallContext, defineTool, limited, type Tool } from "../definitions/tool.ts";

const tool = (
  name: string,
  run: (input: { n: number }, context: CallContext) => unknown,
  more: Partial<Tool> = {},
): Tool =>
  defineTool({
    name,
    description: name,
    effect: more.effect ?? "read",
    input: z.object({ n: z.number().default(0) }),
    run,
    ...(more.concurrency === undefined ? {} : { concurrency: more.concurrency }),
    ...(more.timeoutMs === undefined ? {} : { timeoutMs: more.timeoutMs }),
    ...(more.permission === undefined ? {} : { permission: more.permission }),
  });

const crewOf = (tools: readonly Tool[], more: Partial<CrewDefinition> = {}) =>
  defineCrew({
    name: "tools",
    agents: [{ id: "a", tools: tools.map(({ name }) => name), isTerminal: true }],
    tools,
    ...more,
  });

const fast = { settings: { retryMinMs: 1, retryMaxMs: 2 } };

/** Lets one agent make these calls and then answer. */
async function call(
  tools: readonly Tool[],
  calls: readonly { tool: string; args?: Json }[],
  more: Partial<CrewDefinition> = fast,
) {
  return play(crewOf(tools, more), { a: [{ call: calls }, { say: "done" }] });
}

const never = (): Promise<never> => new Promise(() => {});

test("results return in the order of the calls, whatever the order in which they finish", async () => {
  const clock = new SimulatedClock(1);
  const slow = tool("Slow", async ({ n }, { scope }) => {
    await scope.sleep(n);
    return n;
  });
  const engine = new Engine({
    clock,
    model: () =>
      scriptModel({ a: [{ call: [30, 10, 20].map((n) => ({ tool: "Slow", args: { n } })) }, { say: "ok" }] }),
  });
  const { events } = await clock.run(collect(engine.start(crewOf([slow]), { input: "go" })));
  assert.deepEqual(
    of(events, "call.ended").map(({ output }) => output),
    [10, 20, 30],
  );
  const { fold } = await import("../words/fold.ts");
  assert.deepEqual(
    fold(events)
      .history.filter(({ role }) => role === "tool")
      .map(({ content }) => content),
    ["30", "10", "20"],
  );
});

test("sequential calls run after the parallel ones, one at a time and in order", async () => {
  const clock = new SimulatedClock(1);
  const log: string[] = [];
  const work =
    (name: string) =>
    async ({ n }: { n: number }, { scope }: CallContext) => {
      log.push(`${name}${n} begins`);
      await scope.sleep(10);
      log.push(`${name}${n} ends`);
    };
  const tools = [tool("S", work("s"), { concurrency: "sequential" }), tool("P", work("p"))];
  const calls = [
    { tool: "S", args: { n: 1 } },
    { tool: "P", args: { n: 1 } },
    { tool: "S", args: { n: 2 } },
    { tool: "P", args: { n: 2 } },
  ];
  await using engine = new Engine({ clock, model: () => scriptModel({ a: [{ call: calls }, { say: "ok" }] }) });
  await clock.run(engine.start(crewOf(tools), { input: "go" }).result);
  assert.deepEqual(log, [
    "p1 begins",
    "p2 begins",
    "p1 ends",
    "p2 ends",
    "s1 begins",
    "s1 ends",
    "s2 begins",
    "s2 ends",
  ]);
});

test("at most eight calls of a run, and n of a limited tool, are at work at once", async () => {
  const clock = new SimulatedClock(1);
  let now = 0;
  let most = 0;
  const work = async (_: { n: number }, { scope }: CallContext) => {
    most = Math.max(most, ++now);
    await scope.sleep(10);
    now--;
  };
  const run = async (concurrency: Tool["concurrency"]) => {
    most = 0;
    await using engine = new Engine({
      clock,
      model: () => scriptModel({ a: [{ call: Array.from({ length: 20 }, () => ({ tool: "T" })) }, { say: "ok" }] }),
    });
    await clock.run(engine.start(crewOf([tool("T", work, { concurrency })]), { input: "go" }).result);
    return most;
  };
  assert.equal(await run("parallel"), 8);
  assert.equal(await run(limited(3)), 3);
});

test("a tool that misbehaves in any way becomes an error the agent reads, and the run goes on", async () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const frozen = Object.freeze(new Error("frozen"));
  const hostile = Object.defineProperty(new Error("x"), "message", {
    get() {
      throw new Error("no message for you");
    },
  });
  const throwing = (value: unknown) => () => {
    throw value;
  };
  const tools = [
    tool("String", throwing("a string")),
    tool("Null", throwing(null)),
    tool("Frozen", throwing(frozen)),
    tool("Hostile", throwing(hostile)),
    tool("Cycle", () => cycle),
    tool("BigInt", () => 10n),
    tool("Huge", () => "x".repeat(100 * 1_024 * 1_024)),
    tool("Twice", () => ({
      then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
        resolve("first");
        resolve("second");
        reject(new Error("third"));
      },
    })),
    tool("BadThen", () => ({
      get then() {
        throw new Error("no then");
      },
    })),
    tool("Never", () => ({ then() {} }), { timeoutMs: 100 }),
  ];
  const { outcome, content, events } = await call(
    tools,
    tools.map(({ name }) => ({ tool: name })),
  );
  assert.deepEqual([outcome, content], ["done", "done"]);
  const ended = new Map(of(events, "call.ended").map((event) => [event.tool, event]));
  const kinds = Object.fromEntries([...ended].map(([name, { error }]) => [name, error?.kind]));
  assert.deepEqual(kinds, {
    String: "crash",
    Null: "crash",
    Frozen: "temporary",
    Hostile: "temporary",
    Cycle: "crash",
    BigInt: "crash",
    Huge: "crash",
    Twice: undefined,
    BadThen: "temporary",
    Never: "timeout",
  });
  assert.equal(ended.get("Twice")?.output, "first");
});

test("only failures that may pass are tried again, at most twice, and an irreversible tool never", async () => {
  const attempts = new Map<string, number>();
  const failing = (name: string, error: () => unknown, effect: Tool["effect"] = "read") =>
    tool(
      name,
      (_, { attempt }) => {
        attempts.set(name, attempt);
        throw error();
      },
      { effect },
    );
  const reset = () => Object.assign(new Error("reset"), { code: "ECONNRESET" });
  const tools = [
    failing("Plain", () => new Error("hm")),
    failing("Network", reset),
    failing("Fetch", () => new TypeError("fetch failed", { cause: reset() })),
    failing("Idempotent", reset, "idempotent"),
    failing("Irreversible", reset, "irreversible"),
    failing("Permanent", () => new ToolError("permanent", "gone")),
    failing("Validation", () => new ToolError("validation", "bad")),
    failing("Crash", () => 7),
  ];
  const more = { ...fast, permissions: { "*": "allow" as const } };
  const { events } = await call(
    tools,
    tools.map(({ name }) => ({ tool: name })),
    more,
  );
  assert.deepEqual(Object.fromEntries(attempts), {
    Plain: 3,
    Network: 3,
    Fetch: 3,
    Idempotent: 3,
    Irreversible: 1,
    Permanent: 1,
    Validation: 1,
    Crash: 1,
  });
  const kind = (name: string) => of(events, "call.ended").find((event) => event.tool === name)?.error?.kind;
  assert.deepEqual(["Plain", "Network", "Fetch", "Crash"].map(kind), ["temporary", "network", "network", "crash"]);
  assert.equal(of(events, "call.retried").length, 8);
});

test("the key is the same for every attempt of one call", async () => {
  const keys: string[] = [];
  const flaky = tool("Flaky", (_, { key, attempt, call: position, run }) => {
    keys.push(key);
    assert.equal(key, `${run}/${position}`);
    if (attempt < 3) throw new Error("not yet");
    return "there";
  });
  const { events } = await call([flaky], [{ tool: "Flaky" }]);
  assert.equal(new Set(keys).size, 1);
  assert.equal(keys.length, 3);
  assert.equal(of(events, "call.ended")[0]?.attempts, 3);
});

test("unknown tools and arguments that do not fit are told to the model, with what would be right", async () => {
  const { events } = await call(
    [tool("GetPrice", ({ n }) => n)],
    [{ tool: "getprice" }, { tool: "GetPrice", args: { n: "many" } }],
  );
  const errors = of(events, "call.ended").map(({ error }) => error);
  assert.equal(errors[0]?.kind, "validation");
  assert.match(errors[0]?.message ?? "", /did you mean GetPrice/);
  assert.match(errors[1]?.message ?? "", /n: /);
});

test("a schema that throws, now or later, takes no arguments, and what it threw is told to the model", async () => {
  const throws = (): never => {
    throw new Error("broken");
  };
  const broken = [throws, async () => Promise.reject(new Error("broken"))].map((validate, at) =>
    defineTool({
      name: `Broken${at}`,
      description: "",
      effect: "read",
      input: { jsonSchema: {}, validate },
      run: () => "ran",
    }),
  );
  const { events, outcome } = await call(
    broken,
    broken.map(({ name }) => ({ tool: name })),
  );
  assert.equal(outcome, "done");
  for (const { error } of of(events, "call.ended")) {
    assert.deepEqual(error, { code: "tool", kind: "validation", message: "the arguments do not fit: broken" });
  }
});

test("a tool's own limit, the reply's and the run's are nested, and each is told apart", async () => {
  const clock = new SimulatedClock(1);
  const hang = tool("Hang", never, { effect: "irreversible" });
  const start = async (settings: NonNullable<CrewDefinition["settings"]>) => {
    await using engine = new Engine({
      clock,
      model: () => scriptModel({ a: [{ call: [{ tool: "Hang" }] }, { say: "ok" }] }),
    });
    return await clock.run(
      collect(engine.start(crewOf([hang], { settings, permissions: { Hang: "allow" } }), { input: "go" })),
    );
  };
  const own = await start({});
  assert.equal(own.outcome, "done");
  assert.equal(of(own.events, "call.ended")[0]?.error?.kind, "timeout");
  const whole = await start({ timeoutMs: 80 });
  assert.equal(whole.outcome, "limit");
  assert.equal(of(whole.events, "call.ended")[0]?.error?.code, "limit");
  assert.equal(of(whole.events, "limit.reached")[0]?.limit, "timeout_seconds");
  const shared = await start({ toolSequenceTimeoutMs: 2_000, timeoutWarningPct: 80 });
  assert.equal(
    of(shared.events, "call.ended")[0]?.error?.message,
    "Hang took longer than 1.5 s (tool_result_timeout_seconds)",
  );
  assert.equal(of(shared.events, "warning.raised").length, 1);
});

test("what a call sets in the run's state is recorded with its result, and only a success is seen by later calls", async () => {
  const set = tool("Set", ({ n }, { state }) => {
    state.set("n", n);
    if (n === 2) throw new ToolError("permanent", "no");
    return state.get("n");
  });
  const get = tool("Get", (_, { state }) => state.get("n") ?? "nothing");
  const crew = crewOf([set, get]);
  const { events } = await play(crew, {
    a: [
      { call: [{ tool: "Set", args: { n: 1 } }] },
      { call: [{ tool: "Set", args: { n: 2 } }] },
      { call: [{ tool: "Get" }] },
      { say: "ok" },
    ],
  });
  assert.deepEqual(
    of(events, "call.ended").map(({ output, state }) => [output, state]),
    [
      [1, { n: 1 }],
      [undefined, undefined],
      [1, undefined],
    ],
  );
});

test("a call can list the run's state: what calls before it have set, and what it has set itself", async () => {
  const set = tool("Set", ({ n }, { state }) => {
    state.set(`n${n}`, n);
    return Object.fromEntries(state.entries());
  });
  const calls = [1, 2].map((n) => ({ call: [{ tool: "Set", args: { n } }] }));
  const { events } = await play(crewOf([set]), { a: [...calls, { say: "ok" }] });
  assert.deepEqual(
    of(events, "call.ended").map(({ output }) => output),
    [{ n1: 1 }, { n1: 1, n2: 2 }],
  );
});

test("progress is told to readers while the call runs", async () => {
  const steps = tool("Steps", (_, { progress }) => {
    progress({ done: 1, of: 2 });
    progress({ done: 2, of: 2 });
  });
  const { events } = await call([steps], [{ tool: "Steps" }]);
  assert.deepEqual(
    of(events, "call.progressed").map(({ progress }) => progress),
    [
      { done: 1, of: 2 },
      { done: 2, of: 2 },
    ],
  );
});

test("a permission hook may allow, refuse with a reason, or change the arguments", async () => {
  const seen: number[] = [];
  const guarded = tool(
    "Guarded",
    ({ n }) => {
      seen.push(n);
      return n;
    },
    {
      permission: (args) => {
        const n = typeof args === "object" && args !== null && "n" in args ? args["n"] : 0;
        if (n === 1) return { decision: "allow" };
        if (n === 2) return { decision: "deny", reason: "too much" };
        return { decision: "transform", args: { n: 10 } };
      },
    },
  );
  const { events } = await call(
    [guarded],
    [1, 2, 3].map((n) => ({ tool: "Guarded", args: { n } })),
  );
  assert.deepEqual(seen, [1, 10]);
  assert.deepEqual(of(events, "call.ended").find(({ error }) => error !== undefined)?.error, {
    code: "tool",
    kind: "permission",
    message: "too much",
  });
  assert.equal(of(events, "permission.decided").length, 3);
});

test("a permission hook that throws or never answers refuses the call", async () => {
  const throws = tool("Throws", () => "ran", {
    permission: () => {
      throw new Error("no policy");
    },
  });
  const { events } = await call([throws], [{ tool: "Throws" }]);
  assert.match(of(events, "call.ended")[0]?.error?.message ?? "", /no policy/);
});

test("a crew's deny is final, and the model is told", async () => {
  const { events } = await call([tool("Rm", () => "ran")], [{ tool: "Rm" }], { ...fast, permissions: { Rm: "deny" } });
  assert.equal(of(events, "call.ended")[0]?.error?.kind, "permission");
});
