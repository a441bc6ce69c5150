/** Hostile code: what it returns, or how it fails; the next code in the same process works. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { playCode } from "../testing/played-code.ts";
import { openInterpreter, type QuickjsInterpreter } from "./quickjs-interpreter.ts";

/** The end as one text: `result JSON`, or `kind: message`. */
type Attack = readonly [what: string, code: string, expected: RegExp];

const ATTACKS: readonly Attack[] = [
  ["spins in a getter of its arguments", "tools.get({ get id() { for (;;); } })", /^timeout: .*code_cpu_seconds/u],
  [
    "throws in a getter of its arguments",
    "tools.get({ get id() { throw new Error('no') } })",
    /^permanent: Error: no/u,
  ],
  [
    "changes its arguments after the call",
    "const a = { n: 1 }; const p = tools.get(a); a.n = 2; return await p",
    /^result \{"n":1\}/u,
  ],
  ["gives arguments a toJSON", "return await tools.get({ toJSON: () => ({ forged: 1 }) })", /^result \{"forged":1\}/u],
  [
    "gives arguments a __proto__",
    'return await tools.get(JSON.parse(\'{"__proto__":{"a":1}}\'))',
    /^result \{"__proto__":\{"a":1\}\}/u,
  ],
  ["gives arguments by a proxy", "return await tools.get(new Proxy({ a: 1 }, {}))", /^result \{"a":1\}/u],
  [
    "makes arguments nested deeply",
    "let a = []; for (let n = 0; n < 1e5; n++) a = [a]; tools.get(a)",
    /^(permanent|timeout|crash): /u,
  ],
  [
    "makes arguments too long",
    "try { tools.get('x'.repeat(300_000)) } catch (e) { return e.message }",
    /300002 characters/u,
  ],
  ["wraps the tools in a proxy", "return await new Proxy(tools, {}).get({ a: 1 })", /^result \{"a":1\}/u],
  ["inherits from the tools", "return await Object.create(tools).get({ a: 1 })", /^result \{"a":1\}/u],
  ["replaces the prototype of the tools", "Object.setPrototypeOf(tools, { get: 1 })", /^permanent: TypeError/u],
  ["deletes a tool", "delete tools.get", /^permanent: TypeError/u],
  [
    "calls a tool without its object",
    "const { get } = tools; return await get.call(null, { a: 1 })",
    /^result \{"a":1\}/u,
  ],
  ["constructs a tool", "new tools.get({ a: 1 })", /^permanent: TypeError/u],
  ["reads the source of a tool", "return typeof tools.get.toString()", /^result "string"/u],
  ["awaits the tools", "return (await tools) === tools", /^result true/u],
  ["returns the tools", "return tools", /^(result \{\}|permanent)/u],
  ["looks for the tools' names with a symbol", "return tools[Symbol.iterator] === undefined", /^result true/u],
  ["calls a tool whose name is a number", "tools[0]()", /^permanent: TypeError: there is no tool 0/u],
  ["calls a tool with a very long name", "tools['x'.repeat(1e6)]()", /^(permanent|timeout|crash): /u],
  [
    "puts a getter on every object",
    "Object.prototype.get = () => 5; try { await tools.fail() } catch (e) { return e.kind }",
    /^(result "permission"|permanent)/u,
  ],
  [
    "puts a setter for results on every object",
    "for (const k of ['resolve', 'reject', 'stack']) Object.defineProperty(Object.prototype, k, { set() { throw 5 } }); return await tools.get({ a: 1 })",
    /^result \{"a":1\}/u,
  ],
  [
    "gives errors a stack that spins",
    "Object.defineProperty(Error.prototype, 'stack', { get() { for (;;); } }); tools.get()",
    /^(timeout|result null)/u,
  ],
  ["forges the kind of a failure", "throw new ToolError('cancelled', 'x')", /^permanent: ToolError \(cancelled\): x/u],
  ["changes the class of failures", "ToolError.prototype.name = 'x'; throw new ToolError('a', 'b')", /^permanent: /u],
  ["returns a thenable", "return { then(resolve) { resolve(5) } }", /^result 5/u],
  ["returns a thenable that never settles", "return { then() {} }", /^permanent: .*never settles/u],
  ["returns a thenable that settles twice", "return { then(a) { a(1); a(2); throw 3 } }", /^result 1/u],
  [
    "has a species that throws",
    "class P extends Promise { static get [Symbol.species]() { throw new Error('s') } }\nreturn await P.resolve(1).then(() => 2)",
    /^permanent: Error: s/u,
  ],
  [
    "has arrays of another species",
    "Array.prototype.constructor = { [Symbol.species]: function () { return {} } };\nreturn await tools.get({ a: [1].map((n) => n) })",
    /^(result|permanent)/u,
  ],
  ["starts jobs without end and returns", "(function f() { Promise.resolve().then(f) })(); return 1", /^timeout: /u],
  [
    "starts jobs without end in a failing call",
    "tools.fail().catch(function f() { return Promise.reject().catch(f) })",
    /^timeout: /u,
  ],
  ["spins in an async generator", "for await (const a of (async function* () { for (;;) yield 1 })());", /^timeout: /u],
  [
    "races calls and leaves one",
    "return await Promise.race([tools.get({ a: 1 }), new Promise(() => {})])",
    /^result \{"a":1\}/u,
  ],
  ["throws while a call is open", "tools.get({ a: 1 }); throw new Error('early')", /^permanent: Error: early/u],
  [
    "settles one call from another",
    "const all = []; for (let n = 0; n < 5; n++) all.push(tools.get({ n })); return (await Promise.all(all)).length",
    /^result 5/u,
  ],
  ["matches a slow pattern with a flag", "return /(?:a|a?)+$/u.test('a'.repeat(60) + 'b')", /^timeout: /u],
  ["replaces by a slow pattern", "return ('a'.repeat(60) + 'b').replace(/(a*)*$/, '')", /^(timeout|result)/u],
  ["splits a long text", "return 'a'.repeat(1 << 24).split('').length", /^(crash|timeout): /u],
  ["joins an array with itself", "const a = []; a.push(a); return a.join()", /^(result ""|permanent: RangeError)/u],
  ["makes a large typed array", "return new Float64Array(1 << 27).length", /^(crash|permanent): /u],
  ["makes a sparse array", "const a = []; a[4294967294] = 1; return a.length", /^(result 4294967295|crash|permanent)/u],
  ["returns a sparse array", "const a = []; a[1e8] = 1; return a", /^(crash|timeout): /u],
  ["sorts with a comparison that lies", "return [3, 1, 2].sort(() => Math.random() - 0.5).length", /^result 3/u],
  ["formats a number with many digits", "return (1e21).toFixed(100).length", /^(result|permanent)/u],
  ["makes a large BigInt", "return String(2n ** 10_000_000n).length", /^(timeout|crash|permanent): /u],
  [
    "returns a Map, a Date and a symbol",
    "return [new Map([[1, 2]]), new Date(0), Symbol()]",
    /^result \[\{\},"1970-01-01T00:00:00\.000Z",null\]/u,
  ],
  ["logs a getter that spins", "console.log({ get a() { for (;;); } })", /^timeout: /u],
  ["logs a cycle", "const a = {}; a.a = a; console.log(a); return 1", /^result 1/u],
  ["replaces the console's methods", "console.log = 1", /^permanent: TypeError/u],
  ["reads the clock by other ways", "return [new Date() - Date.now(), Date() === Date()]", /^result \[0,true\]/u],
  ["changes the random numbers", "Math.random = () => 4; return Math.random()", /^result 4/u],
  ["ends the function early", "}); throw new Error('out'); (async () => {", /^permanent: Error: out/u],
  ["ends in a comment", "return 5 // end", /^result 5/u],
  ["leaves a comment open", "return 5 /* end", /^validation: /u],
  ["leaves a template open", "return `a", /^validation: /u],
  ["has a generic arrow function", "const id = <T,>(a: T): T => a; return id<number>(5)", /^result 5/u],
  ["asserts a type in the old way", "return (<number>5) + 1", /^(result 6|validation)/u],
  ["asserts with as, ! and satisfies", "const a = { b: 5 } as const; return a!.b satisfies number", /^result 5/u],
  [
    "declares types only",
    "declare const a: number; type B = { c: string }; interface D { e: B }\nreturn 1",
    /^result 1/u,
  ],
  [
    "overloads a function",
    "function f(a: string): string; function f(a: number): number; function f(a: any) { return a }\nreturn f(5)",
    /^result 5/u,
  ],
  [
    "has an abstract class",
    "abstract class A { abstract b(): void; c?: number }\nreturn typeof A",
    /^result "function"/u,
  ],
  ["has a decorator", "function d() {} @d class A {}", /^validation: /u],
  ["exports", "export const a = 1", /^validation: /u],
  ["asks where it is", "return import.meta.url", /^validation: /u],
  ["has lines of Windows", "const a = 1;\r\nconst b: number = 2;\r\nreturn a + b", /^result 3/u],
  ["has separators of Unicode", "const a = '\u2028';\nreturn a.length", /^result 1/u],
  ["begins with #!", "#!/bin/sh\nreturn 1", /^(validation|result 1)/u],
  ["has a comment of HTML", "return 1 <!-- 2\n", /^(result|validation)/u],
  ["uses with", "with ({}) {}", /^validation: /u],
  ["reads who called", "return arguments.callee", /^(validation|permanent)/u],
  ["is empty", "", /^result null/u],
  ["is only a comment", "// nothing", /^result null/u],
  ["escapes a keyword", "return aw\\u0061it 5", /^validation: /u],
  ["evaluates code that spins", "eval('for (;;);')", /^timeout: /u],
  ["makes a function that spins", "new Function('for (;;);')()", /^timeout: /u],
  [
    "changes what every function inherits",
    "Function.prototype.call = Function.prototype.apply = null; return await tools.get({ a: 1 })",
    /^result \{"a":1\}/u,
  ],
  [
    "freezes everything",
    "Object.freeze(Object.prototype); Object.freeze(Promise.prototype); return await tools.get({ a: 1 })",
    /^result \{"a":1\}/u,
  ],
];

suite("hostile code", () => {
  let interpreter: QuickjsInterpreter;
  before(async () => {
    interpreter = await openInterpreter({ maxCode: 1 });
  });
  after(() => interpreter.close());
  for (const [what, code, expected] of inSlice(ATTACKS)) {
    test(`code that ${what} harms only itself`, async () => {
      const end = await playCode(interpreter, code);
      const told = "error" in end ? `${end.error.kind}: ${end.error.message}` : `result ${JSON.stringify(end.result)}`;
      assert.match(told, expected);
      const next = await playCode(interpreter, "return await tools.get({ a: 1 })");
      assert.deepEqual("result" in next ? next.result : next.error, { a: 1 });
      assert.ok(!("get" in {}) && !("resolve" in {}));
    });
  }
});
