/**
 * Tools for the tests of threads: well-behaved ones, and those that spin, exit, fill their heap or tamper.
 */
import { threadId } from "node:worker_threads";
import { BatonError, type CallContext, defineTool, suspend, ToolError } from "@baton/core";

interface Input {
  readonly n: number;
}

/** Written by hand, because a schema library would be loaded by every thread. */
const input = {
  jsonSchema: { type: "object", properties: { n: { type: "number" } } },
  validate: (value: unknown): { ok: true; value: Input } => {
    const n = typeof value === "object" && value !== null && "n" in value ? value.n : 1;
    return { ok: true, value: { n: typeof n === "number" ? n : 1 } };
  },
};

const tool = (name: string, run: (input: Input, context: CallContext) => unknown) =>
  defineTool({ name, description: name, effect: "read", input, run });

let calls = 0;

const spin = () => {
  for (;;);
};

const fill = () => {
  const kept: unknown[] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, () => kept.length));
};

const leaveError = () => {
  setTimeout(() => {
    throw new Error("forgotten");
  }, 1);
  return new Promise(() => undefined);
};

/** Notes whether an earlier call of this thread has changed a built-in object, then changes it. */
const tamper = () => {
  const before = "tampered" in {} ? "tampered" : "clean";
  Reflect.set(Object.prototype, "tampered", "tampered");
  return { before, threadId };
};

const toCode = (error: unknown): string => (error instanceof BatonError ? error.code : "another error");

let given = 0;

export default [
  defineTool({
    name: "Pause",
    description: "Waits, then tells what it kept and how often something was given back in this thread.",
    effect: "read",
    input,
    run: (_, { kept }) => (kept === undefined ? suspend({ keep: { threadId }, afterMs: 100 }) : { kept, given }),
    release: () => {
      given++;
    },
  }),
  tool("Where", () => ({ threadId, calls: ++calls })),
  tool("Add", ({ n }, { state, progress, messages, user, key, call }) => {
    progress({ n });
    const before = state.get("sum");
    const sum = (typeof before === "number" ? before : 0) + n;
    state.set("sum", sum);
    return { sum: state.get("sum") ?? null, said: messages.length, user: user ?? null, key, call };
  }),
  tool("Context", (_, context) => {
    const { scope: _scope, state, documents: _documents, progress: _progress, note: _note, ...others } = context;
    const { outputOf: _outputOf, ...plain } = others;
    return { ...plain, state: Object.fromEntries(state.entries()) };
  }),
  defineTool({
    name: "Earlier",
    description: "Reads outputs of calls before it.",
    effect: "read",
    concurrency: "sequential",
    input,
    run: async (_, { calls: before, outputOf }) => ({
      calls: before.map(({ call, tool: name, ok }) => [call, name, ok]),
      outputs: (await Promise.all(["1.1.1", "1.1.1", "9.9.9"].map(outputOf))).map((output) => output ?? null),
    }),
  }),
  tool("Wrong", () => {
    throw new ToolError("permanent", "not today");
  }),
  tool("Odd", () => {
    const odd: unknown = 42;
    throw odd;
  }),
  tool("Function", () => () => 1),
  tool("Spin", spin),
  tool("Obedient", (_, { scope, progress }) => {
    progress("waiting");
    return scope.sleep(60_000);
  }),
  tool("Exit", () => process.exit(7)),
  tool("Fill", fill),
  tool("Stray", leaveError),
  tool("Tamper", tamper),
  tool("Wait", (_, { scope, attempt }) => (attempt === 1 ? scope.sleep(60_000) : "again")),
  tool("LateExit", async () => {
    await new Promise((resolve) => setImmediate(resolve));
    process.exit(9);
  }),
  tool("Documents", async (_, { documents }) => {
    const { version } = await documents.put("notes", { id: "a", data: 1, vector: new Float32Array([1, 2]) });
    const found = await documents.nearest("notes", { vector: [1, 2] });
    const refused = await documents.put("notes", { id: "a", data: 2, version: version + 1 }).then(() => "", toCode);
    return { data: (await documents.get("notes", "a"))?.data ?? null, found: found.length, refused };
  }),
  tool("Note", (_, { note }) => note("seen", { n: 1 })),
  defineTool({
    name: "Pay",
    description: "Pays, and waits until the thread ends.",
    effect: "irreversible",
    concurrency: "parallel",
    input,
    run: (_, { progress }) => {
      progress("paying");
      return new Promise(() => undefined);
    },
  }),
];
