/** Code in a real worker: what it can do, what it cannot, and what its author reads of a mistake. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Json } from "@baton/core";
import { Scope, SystemClock } from "@baton/core/ports";
import { LIMITS, playCode, START } from "../testing/played-code.ts";
import { openInterpreter, type QuickjsInterpreter } from "./quickjs-interpreter.ts";

suite("code", () => {
  let interpreter: QuickjsInterpreter;
  before(async () => {
    interpreter = await openInterpreter({ maxCode: 2 });
  });
  const scope = Scope.root({ clock: new SystemClock() });
  after(() => interpreter.close());
  const play = (text: string) => playCode(interpreter, text);

  const RESULTS: readonly (readonly [code: string, result: Json])[] = [
    ["return 1 + 2", 3],
    ["const a: number = 5;\nreturn a satisfies number", 5],
    ["interface A { b: string }\nconst a = { b: 'x' } as A;\nreturn a.b", "x"],
    ["return [1, 2].reduce<number>((a, b) => a + b, 0)", 3],
    ["const a = 1, b = 2, c = 3;\nreturn a < b === true ? (c)>(b) : 0", true],
    ["return", null],
    ["return { a: undefined, b: () => 1, c: NaN, d: 1e999 }", { c: null, d: null }],
    ["return (await tools.get({ id: 7 })).id", 7],
    ["return (await tools['get-order']({ a: 1 })).a", 1],
    ["return await tools.get()", {}],
    ["return await Promise.all([1, 2].map((n) => tools.get({ n })))", [{ n: 1 }, { n: 2 }]],
    ["tools.get({ a: 1 });\nreturn 'not awaited'", "not awaited"],
    [
      "try { await tools.fail() } catch (e) { return [e instanceof ToolError, e.kind, e.message] }",
      [true, "permission", "not allowed"],
    ],
    [
      "const a = Date.now(); await tools.get(); return [a, Date.now(), new Date().getTimezoneOffset()]",
      [1_700_000_000_000, 1_700_000_001_000, 0],
    ],
    [
      "return [typeof fetch, typeof setTimeout, typeof require, typeof process, typeof WeakRef, typeof performance, typeof Intl]",
      Array(7).fill("undefined"),
    ],
    ["return Object.keys(tools)", ["get", "fail", "get-order"]],
    [
      "let n = 0;\ntry { for (;;) { tools.get(); n++ } } catch (e) { return [n, e.message] }",
      [5, "the code may make 5 calls (max_code_calls)"],
    ],
    ["try { tools.get('x'.repeat(300_000)) } catch (e) { return e instanceof RangeError }", true],
    ["return JSON.parse('[1e400, 123456789012345678901234567890]')", [null, 1.2345678901234568e29]],
    // Against the prelude: what code replaces is its own loss.
    [
      "Promise.prototype.then = null; Object.prototype.then = 5; Array.prototype[0] = 1; JSON.parse = null;\nreturn await tools.get({ a: 1 })",
      { a: 1 },
    ],
    ["Promise = null; JSON = null; Reflect = null; Error = null;\nreturn await tools.get({ a: 1 })", { a: 1 }],
    ["try { tools.get = 5 } catch (e) { return e.name }", "TypeError"],
    ["try { Object.defineProperty(tools, 'x', { value: 1 }) } catch (e) { return e.name }", "TypeError"],
    [
      "Error.prepareStackTrace = () => { throw 5 }; Error.stackTraceLimit = 0;\nreturn await tools.get({ a: 1 })",
      { a: 1 },
    ],
    ["String.prototype.slice = () => { throw 5 };\nconsole.log('x'.repeat(10));\nreturn 1", 1],
    ["Object.prototype.kind = 'x'; Object.prototype.line = 99;\nreturn await tools.get({ a: 1 })", { a: 1 }],
    ["class P extends Promise {}\nPromise.prototype.constructor = P;\nreturn await tools.get({ a: 1 })", { a: 1 }],
    ["return [eval('1 + 1'), new Function('return 2')()]", [2, 2]],
    ["}); globalThis.a = 1; (async () => { return 5", 5],
    ["return tools.get.constructor('return typeof process')()", "undefined"],
  ];
  for (const [text, result] of RESULTS) {
    test(`${JSON.stringify(text).slice(0, 100)} gives its result`, async () => {
      const end = await play(text);
      assert.deepEqual("result" in end ? end.result : end.error, result);
    });
  }

  const FAILURES: readonly (readonly [code: string, kind: string, message: RegExp])[] = [
    [
      "const a = {};\nconst b = a.x.y;",
      "permanent",
      /^TypeError: .*'y' of undefined \(line 2, column 11\)\n2 \| const b = a\.x\.y;$/u,
    ],
    ["throw new Error('no')", "permanent", /^Error: no \(line 1, column \d+\)/u],
    ["throw 5", "permanent", /^thrown: 5$/u],
    ["throw { a: 1 }", "permanent", /^thrown: \{"a":1\}$/u],
    ["throw null", "permanent", /^thrown: null$/u],
    ["throw Object.create(null, { stack: { get() { throw 1 } } })", "permanent", /cannot be described/u],
    ["throw Object.assign(new Error('x'), { name: { toString() { throw 1 } } })", "permanent", /cannot be described/u],
    ["console.log('first');\nthrow new Error('no')", "permanent", /console:\nfirst$/u],
    ["await tools.fail()", "permanent", /^ToolError \(permission\): not allowed \(line 1/u],
    ["tools.nope()", "permanent", /there is no tool nope; there are get, fail, get-order/u],
    ["return tools.__proto__", "permanent", /there is no tool __proto__/u],
    ["return tools.constructor", "permanent", /there is no tool constructor/u],
    ["await new Promise(() => {})", "permanent", /^the code awaits something that never settles$/u],
    ["const a = ;", "validation", /not valid TypeScript: .*\(line 1\)\n1 \| const a = ;/u],
    ["const a = 1;\nenum B { c }", "validation", /enum is not supported.*\(line 2\)/u],
    ["namespace A { export const b = 1 }", "validation", /namespace/u],
    ["class A { constructor(private b: number) {} }", "validation", /parameter property/u],
    ["import a from 'b'", "validation", /not valid TypeScript/u],
    ["}), (5", "validation", /not valid TypeScript/u],
    ["return await import('node:fs')", "permanent", /could not load module|not supported|module/u],
    ["for (;;);", "timeout", /more than 0\.03 s of CPU \(code_cpu_seconds\)/u],
    ["try { for (;;); } catch { return 1 } finally { return 2 }", "timeout", /code_cpu_seconds/u],
    ["for (;;) await null", "timeout", /code_cpu_seconds/u],
    ["for (;;) queueMicrotask(() => {})", "timeout", /code_cpu_seconds|code_memory_mb/u],
    ["for (;;) console.log('flood')", "timeout", /code_cpu_seconds.*\nconsole:\n.*flood$/su],
    ["return { toJSON() { for (;;); } }", "timeout", /code_cpu_seconds/u],
    ["const a = []; for (;;) a.push('x'.repeat(100_000) + a.length)", "crash", /more than 16 MB \(code_memory_mb\)/u],
    ["return 'x'.repeat(1 << 29)", "crash", /code_memory_mb/u],
    ["const f = () => f() + 1;\nreturn f()", "permanent", /^RangeError: Maximum call stack/u],
    ["let a = []; for (let n = 0; n < 5000; n++) a = [a]; return a", "permanent", /nested|stack/u],
    [`return ${"[".repeat(20_000)}1${"]".repeat(20_000)}`, "validation", /nested too deeply/u],
    ["return 10n", "permanent", /BigInt/u],
    ["const a = {}; a.a = a; return a", "permanent", /circular/u],
    ["queueMicrotask(() => { throw new Error('later') }); await tools.get()", "permanent", /later/u],
    ["tools.get(1n)", "permanent", /BigInt/u],
    ["tools.get(() => 1)", "permanent", /takes one object of arguments/u],
    ["/(a+)+$/.test('a'.repeat(40) + 'b')", "timeout", /code_cpu_seconds/u],
  ];
  for (const [text, kind, message] of FAILURES) {
    test(`${JSON.stringify(text).slice(0, 100)} fails as ${kind}`, async () => {
      const end = await play(text);
      const error = "error" in end ? end.error : assert.fail(JSON.stringify(end));
      assert.equal(error.kind, kind, error.message);
      assert.match(error.message, message);
    });
  }

  test("a call knows its line, and the console keeps its end", async () => {
    const end = await play(
      "await tools.get();\n[1].map(() =>\n  tools.get());\nfor (let n = 0; n < 50; n++) console.log('line', n);",
    );
    assert.deepEqual(end.lines, [1, 3]);
    assert.match(end.console ?? "", /line 49$/u);
    assert.ok((end.console ?? "").length <= 60);
  });

  test("a result of more than 1 MiB is cut to its beginning", async () => {
    const end = await play("return 'x'.repeat(2_000_000)");
    assert.equal("wholeChars" in end ? end.wholeChars : 0, 2_000_002);
  });

  test("random numbers are the same for the same time and position, and others for another one", async () => {
    const text = "return [Math.random(), Math.random()]";
    const [one, two] = [await play(text), await play(text)];
    assert.deepEqual(one, two);
    const other = interpreter.start({ ...START, position: "1.1.2", text });
    assert.notDeepEqual((await other.step(scope)).end, { result: "result" in one ? one.result : null });
    other.close();
  });

  test("more codes than workers go on by turns: one that waits gives its worker away and is brought back", async () => {
    const text =
      "const a = [Math.random()];\nfor (let n = 0; n < 3; n++) a.push((await tools.get({ n })).n, Date.now());\nreturn a";
    const codes = Array.from({ length: 5 }, () => interpreter.start({ ...START, text }));
    let steps = await Promise.all(codes.map((code) => code.step(scope)));
    for (let call = 1; call <= 3; call++) {
      const output = { n: call * 10 };
      steps = await Promise.all(codes.map((code) => code.step(scope, { call, at: START.at + call, output })));
    }
    const ends = steps.map(({ end }) => JSON.stringify(end));
    assert.equal(new Set(ends).size, 1);
    assert.match(ends[0] ?? "", /,10,1700000000001,20,1700000000002,30,1700000000003\]/u);
    for (const code of codes) code.close();
  });

  test("a cancel stops code that is running", async () => {
    const time = scope.child({ name: "code", timeoutMs: 20 });
    const code = interpreter.start({ ...START, limits: { ...LIMITS, cpuSeconds: 1_000 }, text: "for (;;);" });
    await assert.rejects(code.step(time), { code: "timeout" });
    code.close();
    assert.deepEqual(await play("return 1"), { result: 1, lines: [] });
    await time[Symbol.asyncDispose]();
  });

  test("the engine has a name, a version and a hash", async () => {
    assert.match(interpreter.engine, /^quickjs-wasi 3\.6\.2 [0-9a-f]{8}$/u);
  });
});
