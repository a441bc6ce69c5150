/**
 * Code mode and sandboxes: 200 orders by one code and by native calls of the same model script; `/health` while four codes
 * spin; 16 sandboxed calls at once and one after the other; tools as TypeScript and as JSON Schemas.
 *
 * `node bench/code.ts`. The third part needs bubblewrap; without it the reason is printed.
 */
import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineCrew, defineTool, Engine, type Model, type Prompt, scriptModel } from "@baton/core";
import { limitsOf, Scope, SystemClock } from "@baton/core/ports";
import { toolContext } from "@baton/core/testing";
import { openInterpreter, processLevel } from "@baton/sandbox";
import { z } from "zod";
import { createTools } from "@baton/finance/tools/catalogue.ts";
import { stubMarket } from "@baton/finance/tools/testing/stub-market.ts";

const ORDERS = 200;
/** Calls that one native reply makes. */
const AT_ONCE = 10;
const SANDBOXES = 16;
const SPINNING = 4;
/** Less than they spin before their limit ends them. */
const SPIN_MS = 3_000;
const LISTENING = /listening on (http:\/\/127\.0\.0\.1:\d+)/u;
const ROOT = join(import.meta.dirname, "..");

const getOrder = defineTool({
  name: "getOrder",
  description: "One order.",
  effect: "read",
  input: z.object({ id: z.number() }),
  output: z.object({ id: z.number(), usd: z.number(), late: z.boolean() }),
  run: ({ id }) => ({ id, usd: id, late: id % 4 === 0 }),
});

const CODE = `const ids = Array.from({ length: ${ORDERS} }, (_, at) => at + 1);
const orders = await Promise.all(ids.map((id) => tools.getOrder({ id })));
return orders.filter((order) => order.late).length;`;

/** The same script, by code or by calls: what it asks for is all that differs. */
function toReplies(mode: "code" | "native") {
  const ids = Array.from({ length: ORDERS }, (_, at) => at + 1);
  const replies = Array.from({ length: ORDERS / AT_ONCE }, (_, at) => ({
    call: ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE).map((id) => ({ tool: "getOrder", args: { id } })),
  }));
  const code = [{ call: [{ tool: "run_code", args: { code: CODE } }] }];
  return { clerk: [...(mode === "code" ? code : replies), { say: "50 are late." }] };
}

async function playOrders(mode: "code" | "native") {
  await using stack = new AsyncDisposableStack();
  const interpreter = stack.adopt(await openInterpreter(), (one) => one.close());
  const crew = defineCrew({
    name: "orders",
    tools: [getOrder],
    settings: { maxSteps: ORDERS, maxCallsPerReply: AT_ONCE },
    agents: [{ id: "clerk", tools: ["getOrder"], isTerminal: true, toolCalls: mode }],
    interpreter,
  });
  const script = scriptModel(toReplies(mode));
  let [calls, chars] = [0, 0];
  const model: Model = {
    ...script,
    stream(prompt, scope) {
      calls++;
      chars += JSON.stringify([prompt.system, prompt.messages, prompt.tools]).length;
      return script.stream(prompt, scope);
    },
  };
  const play = async () => {
    await using engine = new Engine({ model: () => model });
    const { outcome } = await engine.start(crew, { input: "Which are late?" }).result;
    if (outcome !== "done") throw new Error(`the run ended as ${outcome}`);
  };
  await play();
  [calls, chars] = [0, 0];
  const began = performance.now();
  await play();
  const ms = Math.round(performance.now() - began);
  return { mode, modelCalls: calls, inputTokens: Math.round(chars / 4), ms };
}

/** Asks a server again and again while codes spin; gives the longest waits. */
async function measureHealth() {
  const folder = await mkdtemp(join(tmpdir(), "bench-code-"));
  const crew =
    'version: "1.0"\nname: spin\nagents:\n  - { id: a, name: A, role: r, is_terminal: true, tools: [t], tool_calls: code }\n';
  await writeFile(
    join(folder, "crew.yaml"),
    `${crew}tools:\n  t: { description: d, effect: read, isolation: wasm, module: ./t.ts }\n`,
  );
  await writeFile(join(folder, "t.ts"), "export default () => 1;");
  await writeFile(
    join(folder, "script.yaml"),
    'a:\n  - when: go\n    call: [{ tool: run_code, args: { code: "for (;;);" } }]\n  - say: done\n',
  );
  const args = [
    join(ROOT, "packages/cli/bin/baton.js"),
    "serve",
    folder,
    "--port",
    "0",
    "--data",
    join(folder, "data"),
  ];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  try {
    const url = await new Promise<string>((resolve) => {
      const look = (part: Buffer) => {
        const [, found] = LISTENING.exec(part.toString()) ?? [];
        if (found !== undefined) resolve(found);
      };
      server.stdout.on("data", look);
      server.stderr.on("data", look);
    });
    const body = JSON.stringify({ crew: "spin", input: "go" });
    const headers = { "content-type": "application/json" };
    const start = async () => (await fetch(`${url}/api/runs`, { method: "POST", headers, body })).text();
    await Promise.all(Array.from({ length: SPINNING }, start));
    const waits: number[] = [];
    const until = performance.now() + SPIN_MS;
    while (performance.now() < until) {
      const began = performance.now();
      await (await fetch(`${url}/health`)).text();
      waits.push(performance.now() - began);
    }
    waits.sort((one, other) => other - one);
    const [longest = 0] = waits;
    return { asked: waits.length, longestMs: Math.round(longest), medianMs: Math.round(waits[waits.length >> 1] ?? 0) };
  } finally {
    server.kill();
    await new Promise((done) => server.once("exit", done));
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureSandboxes() {
  const scope = Scope.root({ clock: new SystemClock() });
  const level = processLevel({ env: process.env, scope });
  const missing = await level.missing();
  if (missing !== undefined) return { missing };
  const folder = await mkdtemp(join(tmpdir(), "bench-sandbox-"));
  await chmod(folder, 0o755);
  const job = { tool: "t", folder, paths: [], env: {}, input: {}, sandbox: limitsOf("process") };
  const call = () =>
    level.run({ ...job, code: { kind: "command", command: ["sleep", "0.2"] }, context: toolContext()() }, scope);
  await call();
  const time = async (work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    return Math.round(performance.now() - began);
  };
  const sumMs = await time(async () => {
    for (let at = 0; at < SANDBOXES; at++) await call();
  });
  const togetherMs = await time(() => Promise.all(Array.from({ length: SANDBOXES }, call)));
  await rm(folder, { recursive: true });
  return { sumMs, togetherMs, share: Math.round((100 * togetherMs) / sumMs) / 100 };
}

/** Characters of the finance tools as a model reads them: their specifications, and the declaration of them all. */
async function measureTypes() {
  const specs = await promptTools("native");
  const code = await promptTools("code");
  const schemas = JSON.stringify(specs).length;
  const declaration = code.map(({ description }) => description.slice(description.indexOf("declare const"))).join("");
  const share = Math.round((100 * declaration.length) / schemas) / 100;
  return { tools: specs.length, schemas, declaration: declaration.length, share };
}

/** The tools of the first prompt of an agent that has all finance tools. */
async function promptTools(mode: "code" | "native"): Promise<Prompt["tools"]> {
  const tools = createTools(stubMarket({}));
  const crew = defineCrew({
    name: "finance",
    tools,
    agents: [{ id: "a", tools: tools.map(({ name }) => name), isTerminal: true, toolCalls: mode }],
    interpreter: { engine: "none", start: () => ({ step: async () => ({ calls: [] }), close: () => undefined }) },
  });
  let seen: Prompt["tools"] = [];
  const script = scriptModel({ a: [{ say: "Hello." }] });
  const model: Model = {
    ...script,
    stream(prompt, scope) {
      seen = prompt.tools;
      return script.stream(prompt, scope);
    },
  };
  await using engine = new Engine({ model: () => model });
  await engine.start(crew, { input: "hi" }).result;
  return seen;
}

print("200 orders by native calls", await playOrders("native"));
print("200 orders by one code", await playOrders("code"));
print("tools as TypeScript", await measureTypes());
print(`/health while ${SPINNING} codes spin`, await measureHealth());
print(`${SANDBOXES} sandboxed calls of 0.2 s`, await measureSandboxes());

function print(what: string, figures: object): void {
  console.log(`${what}: ${JSON.stringify(figures)}`);
}
