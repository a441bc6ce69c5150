import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseJson } from "./json.ts";
import { boundOutput, ChangedOutput } from "./output.ts";

const MIB = 1_024 * 1_024;

test("plain data goes to the log as JSON has it", () => {
  for (const value of ["", "text", "\ud83d", 0, 1.5, true, false, null, [], {}, [1, { a: "b" }]]) {
    assert.deepEqual(boundOutput(value), { ok: true, output: value });
  }
  assert.deepEqual(boundOutput(undefined), { ok: true, output: null });
  assert.deepEqual(boundOutput(-0), { ok: true, output: 0 });
  assert.deepEqual(boundOutput({ at: new Date(0), gone: undefined }), {
    ok: true,
    output: { at: "1970-01-01T00:00:00.000Z" },
  });
});

test("what is logged does not change when the tool changes what it returned", () => {
  const value = { list: [1] };
  const bounded = boundOutput(value);
  value.list.push(2);
  assert.deepEqual(bounded, { ok: true, output: { list: [1] } });
});

test("a value that is no JSON is a reason, never a throw", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  class Hostile extends Error {
    override get message(): string {
      throw new Error("no");
    }
  }
  const throws = (error: unknown) => ({
    toJSON(): never {
      throw error;
    },
  });
  const getter = {
    get a(): never {
      throw new Error("no");
    },
  };
  const thrown = [new Error("no"), undefined, new Hostile(), revoked.proxy];
  const bad = [cycle, 1n, { a: 1n }, () => 1, Symbol("s"), revoked.proxy, getter, ...thrown.map(throws)];
  for (const value of bad) {
    const bounded = boundOutput(value);
    assert.ok(!bounded.ok && bounded.why !== "");
  }
});

test("nesting that would overflow whoever serialises it later is refused", () => {
  const nest = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  assert.equal(boundOutput(nest(1_000)).ok, true);
  for (const levels of [1_001, 3_000, 100_000]) assert.equal(boundOutput(nest(levels)).ok, false, String(levels));
});

test("an output is whole up to 1 MiB of UTF-8, and cut between characters above", () => {
  for (const [unit, bytes] of [
    ["a", 1],
    ["é", 2],
    ["語", 3],
    ["👍", 4],
  ] as const) {
    const most = Math.floor(MIB / bytes);
    const whole = unit.repeat(most);
    assert.deepEqual(boundOutput(whole), { ok: true, output: whole });
    const count = (most + 1).toLocaleString("en-US");
    const cut = `${whole}… [cut: ${most.toLocaleString("en-US")} of ${count} characters]`;
    assert.deepEqual(boundOutput(whole + unit), { ok: true, output: cut, wholeChars: most + 1 });
  }
});

test("a large object becomes the beginning of its JSON text", () => {
  const value = { rows: Array.from({ length: 200_000 }, (_, at) => at) };
  const bounded = boundOutput(value);
  assert.ok(bounded.ok && typeof bounded.output === "string");
  assert.equal(bounded.output.slice(0, MIB), JSON.stringify(value).slice(0, MIB));
  assert.match(bounded.output.slice(MIB), /^… \[cut: 1,048,576 of [\d,]+ characters\]$/);
});

test("an output too large to serialise again and again is refused with its size", () => {
  for (const value of ["x".repeat(16 * MIB + 1), ["x".repeat(16 * MIB)]]) {
    const bounded = boundOutput(value);
    assert.match(bounded.ok ? "" : bounded.why, /16,777,2\d\d characters/);
  }
  assert.equal(boundOutput("x".repeat(16 * MIB)).ok, true);
});

test("what JSON does not have is named by its path, and a Map becomes an object of its entries", () => {
  const at = new Date(0);
  const value = {
    price: Number.NaN,
    rows: [{ high: Infinity }, { low: -Infinity, at: new Date("never") }],
    book: new Map<string, unknown>([
      ["bid", 1],
      ["asks", new Map([["deep", Number.NaN]])],
    ]),
    fine: [null, {}, at, "null {}"],
  };
  assert.deepEqual(boundOutput(value), {
    ok: true,
    output: {
      price: null,
      rows: [{ high: null }, { low: null, at: null }],
      book: { bid: 1, asks: { deep: null } },
      fine: [null, {}, at.toISOString(), "null {}"],
    },
    changed: [
      "NaN at price",
      "Infinity at rows.0.high",
      "-Infinity at rows.1.low",
      "an invalid date at rows.1.at",
      "a Map at book",
      "a Map at book.asks",
      "NaN at book.asks.deep",
    ],
  });
  assert.deepEqual(boundOutput(Number.NaN), { ok: true, output: null, changed: ["NaN"] });
  assert.deepEqual(boundOutput(new ChangedOutput([1], ["NaN at 0"])), { ok: true, output: [1], changed: ["NaN at 0"] });
  assert.equal(JSON.stringify(new ChangedOutput([1], [])), "[1]");
});

test("any value is logged as JSON would read it back, but for Maps", () => {
  fc.assert(
    fc.property(fc.anything({ withDate: true, withSparseArray: true }), (value) => {
      const text: string | undefined = JSON.stringify(value);
      const bounded = boundOutput(value);
      assert.deepEqual(bounded.ok && bounded.output, parseJson(text ?? "null"));
    }),
    { numRuns: 500 },
  );
});
