import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { BatonError, type Json, ToolError } from "@baton/core";
import { limitsOf, Scope, SystemClock, type Sandbox } from "@baton/core/ports";
import { inSlice, toolContext } from "@baton/core/testing";
import { toMessage } from "@baton/core/util";
import { wasmLevel } from "./wasm-level.ts";

type Attack = readonly [what: string, source: string, expected: RegExp, sandbox?: Sandbox];

const run = (body: string): string => `export default async (input) => { ${body} }`;

const ATTACKS: readonly Attack[] = [
  [
    "looks for Node's globals",
    run("return [typeof process, typeof require, typeof fetch, typeof setTimeout, typeof WebAssembly]"),
    /^output \["undefined","undefined","undefined","undefined","undefined"\]/,
  ],
  [
    "builds a function of another realm",
    run("return console.log.constructor('return typeof process')()"),
    /^output "undefined"/,
  ],
  [
    "climbs by constructor.constructor",
    run("return (function(){}).constructor.constructor('return this.process === undefined')()"),
    /^output true/,
  ],
  ["imports a module", "import fs from 'node:fs'; export default () => 1", /^(permanent|validation): /],
  ["imports later", run("return (await import('node:fs')).readFileSync"), /^permanent: /],
  ["imports itself", run("return await import(import.meta.url ?? 'x')"), /^permanent: /],
  ["requires a module by data:", run("return await import('data:text/javascript,export default 1')"), /^permanent: /],
  ["spins", run("for (;;);"), /^timeout: .*cpu_seconds/, { cpu_seconds: 1 }],
  [
    "spins in promises",
    run("const f = () => Promise.resolve().then(f); await f()"),
    /^(timeout|crash)/,
    { cpu_seconds: 1 },
  ],
  ["spins in an async loop", run("for (;;) await null"), /^timeout: .*cpu_seconds/, { cpu_seconds: 1 }],
  [
    "catches the limit",
    run("try { for (;;); } catch { return 'caught' } finally { for (;;); }"),
    /^timeout/,
    { cpu_seconds: 1 },
  ],
  ["spins at its top", "for (;;); export default () => 1", /^timeout/, { cpu_seconds: 1 }],
  ["spins in a getter of its result", run("return { get a() { for (;;); } }"), /^timeout/, { cpu_seconds: 1 }],
  ["spins in toJSON", run("return { toJSON() { for (;;); } }"), /^timeout/, { cpu_seconds: 1 }],
  ["spins in a proxy", run("return new Proxy({}, { ownKeys() { for (;;); } })"), /^timeout/, { cpu_seconds: 1 }],
  ["spins in a sort", run("[3,2,1].sort(() => { for (;;); })"), /^timeout/, { cpu_seconds: 1 }],
  [
    "matches a slow pattern",
    run("return /^(a+)+$/.test('a'.repeat(40) + 'b')"),
    /^(timeout|permanent)/,
    { cpu_seconds: 1 },
  ],
  ["allocates arrays", run("const a = []; for (;;) a.push(new Array(1e5).fill(1))"), /memory_mb/],
  ["doubles a text", run("let s = 'x'; for (;;) s += s"), /memory_mb|permanent/],
  ["allocates a buffer", run("return new ArrayBuffer(2e9).byteLength"), /memory_mb|permanent/],
  [
    "grows a map",
    run("const m = new Map(); for (let i = 0; ; i++) m.set(i, 'x'.repeat(1000) + i)"),
    /memory_mb|timeout/,
  ],
  ["recurses", run("const f = () => f() + 1; return f()"), /^permanent: .*stack/i],
  ["recurses in JSON", run("let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a"), /^(permanent|crash)/],
  ["parses deep JSON", run("return JSON.parse('['.repeat(1e5))"), /^permanent/],
  ["returns a cycle", run("const a = {}; a.a = a; return a"), /^permanent/],
  ["returns a function", run("return () => 1"), /^output null/],
  ["returns a BigInt", run("return 1n"), /^permanent/],
  ["returns too much", run("return 'x'.repeat(3e6)"), /^permanent: .*output_kb/],
  ["returns more than it may", run("return 'x'.repeat(3000)"), /^permanent: .*output_kb/, { output_kb: 1 }],
  ["never settles", run("await new Promise(() => {})"), /^permanent: .*never settles/],
  ["throws nothing", run("throw undefined"), /^permanent/],
  ["throws a proxy", run("throw new Proxy({}, { get() { throw 1 } })"), /^permanent/],
  [
    "throws a hostile error",
    run("const e = new Error('x'); Object.defineProperty(e, 'message', { get() { for (;;); } }); throw e"),
    /^(timeout|permanent)/,
    { cpu_seconds: 1 },
  ],
  [
    "changes prototypes",
    run(
      "Object.prototype.polluted = 1; Array.prototype.map = () => 'owned'; JSON.stringify = () => '\"forged\"'; JSON.parse = () => 1; Promise.prototype.then = () => 1; return 1",
    ),
    /^output 1$/,
  ],
  ["has a __proto__ in its result", run('return JSON.parse(\'{"__proto__":{"a":1}}\')'), /^output/],
  ["floods the console", run("for (;;) console.log('x'.repeat(1e4))"), /^timeout/, { cpu_seconds: 1 }],
  ["logs a proxy", run("console.log(new Proxy({}, { get() { throw 1 } })); return 1"), /^(output 1|permanent)/],
  ["replaces the console", run("console.log = 1; globalThis.console = 1; return 1"), /^(output 1|permanent)/],
  ["exports no function", "export default 1", /^validation: /],
  ["exports nothing", "const a = 1", /^validation: /],
  ["is no module at all", "export default (", /^validation: /],
  [
    "has 20,000 nested brackets",
    `export default () => ${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    /^(validation|permanent|crash)/,
  ],
  [
    "shares memory",
    run("return typeof SharedArrayBuffer === 'undefined' || typeof Atomics.wait"),
    /^permanent: .*Atomics is not defined/,
  ],
  [
    "waits with Atomics",
    run("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1e9); return 1"),
    /^(output|permanent|timeout)/,
    { cpu_seconds: 1 },
  ],
  ["keeps objects alive behind weak references", run("return typeof WeakRef"), /^output "undefined"/],
  ["measures time", run("return [typeof performance, Date.now() === Date.now()]"), /^output \["undefined",true\]/],
  ["evaluates text", run("return eval('1+1')"), /^(output 2|permanent)/],
  [
    "searches by a built-in that never interrupts",
    run("return 'a'.repeat(1<<16).indexOf('a'.repeat(1<<15)+'b')"),
    /^timeout: .*cpu_seconds/,
    { cpu_seconds: 0.1 },
  ],
];

const level = wasmLevel();
const scope = Scope.root({ clock: new SystemClock() });
const folder = await mkdtemp(join(tmpdir(), "wasm-"));
after(async () => {
  level.close();
  await rm(folder, { recursive: true });
});

async function call(source: string, input: Json, sandbox: Sandbox = {}): Promise<string> {
  const file = join(folder, "module.ts");
  await writeFile(file, source);
  const job = { tool: "t", code: { kind: "module", file }, folder, paths: [], env: {}, input } as const;
  const context = toolContext()();
  try {
    return `output ${JSON.stringify(await level.run({ ...job, sandbox: { ...limitsOf("wasm"), ...sandbox }, context }, scope))}`;
  } catch (error) {
    return `${error instanceof ToolError ? error.kind : "error"}: ${toMessage(error)}`;
  }
}

for (const [what, source, expected, sandbox] of inSlice(ATTACKS)) {
  test(`a module that ${what} stays inside`, async () => {
    assert.match(await call(source, {}, sandbox), expected);
    assert.equal(
      await call("export default ({ a }: { a: number }) => [a].map((one) => one + 1)", { a: 1 }),
      "output [2]",
    );
    assert.ok(!("polluted" in {}));
  });
}

test("a call that is cancelled ends its worker, and the next one works", async () => {
  const own = scope.child({ name: "call" });
  const file = join(folder, "module.ts");
  await writeFile(file, run("for (;;);"));
  const job = { tool: "t", code: { kind: "module", file }, folder, paths: [], env: {}, input: 1 } as const;
  const running = level.run({ ...job, sandbox: { cpu_seconds: 60 }, context: toolContext()() }, own);
  const failed = assert.rejects(running);
  await own.cancel(new BatonError("cancelled", "stop"));
  await failed;
  assert.equal(await call("export default (a) => a", 7), "output 7");
});
