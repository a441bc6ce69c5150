import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import * as fc from "fast-check";
import { z } from "zod";
import { MarketError } from "../port/market-error.ts";
import { startFake } from "../testing/fake-source.ts";
import { FakeServer } from "../testing/fake-server.ts";
import type { LiveSource } from "./live-source.ts";
import { BROWSER_AGENT } from "./open-source.ts";
import { findSource } from "./sources.ts";
import { AskedLine, type Question, readFixture, toQuestion } from "./testing/ask-fake.ts";
import { scopeAt } from "./testing/scope-at.ts";

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);
const QUESTIONS = readFixture("questions.jsonl", z.looseObject({ source: z.string(), ask: AskedLine })).filter(
  ({ source }) => source !== "treasury", // which sends tables
);

const HOSTILE: readonly unknown[] = [
  null,
  "",
  "null",
  "N/A",
  "-",
  "NaN",
  "1e999",
  -1,
  0,
  1e308,
  true,
  [],
  {},
  [[]],
  "2026-99-99",
  "x".repeat(3_000),
  "\u202e\u0000",
];

for (const { source: name, ask: asked } of QUESTIONS) {
  const ask = toQuestion(asked);
  const open = findSource(name)?.open ?? assert.fail();
  test(`whatever is damaged in an answer of ${name} for ${JSON.stringify(asked)}, what comes out is clean or a typed error`, async () => {
    await using real = await startFake(name);
    const { scope } = scopeAt();
    await using _ = scope;
    const whole = await ask(open({ baseUrl: real.url }), scope);
    checkClean(whole);
    const bodies = new Map(
      await Promise.all(
        real.requests.map(async ({ path, query }) => [path, await read(real.url, path, query)] as const),
      ),
    );
    let body = new Map<string, string>();
    await using server = await FakeServer.start(({ path }) => ({ body: body.get(path) ?? "{}" }));
    const cases = fc.record({
      places: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      value: fc.constantFrom(...HOSTILE),
      file: fc.nat(),
    });
    const property = fc.asyncProperty(cases, async ({ places, value, file }) => {
      const paths = [...bodies.keys()];
      const damaged = paths[file % paths.length];
      body = new Map(
        [...bodies].map(([path, json]) => [
          path,
          JSON.stringify(path === damaged ? places.reduce((left, place) => damage(left, place, value), json) : json),
        ]),
      );
      await check(ask, open({ baseUrl: server.url }));
    });
    for (const seed of inSlice(SEEDS)) await fc.assert(property, { seed, numRuns: 30 });
  });
}

async function check(ask: Question<unknown>, source: LiveSource): Promise<void> {
  const { scope } = scopeAt();
  await using _ = scope;
  try {
    checkClean(await ask(source, scope));
  } catch (error) {
    if (!(error instanceof MarketError)) throw error;
  }
}

/** No null and no number that is not finite, anywhere. */
function checkClean(value: unknown): void {
  if (typeof value === "number") assert.ok(Number.isFinite(value), `${value}`);
  if (value instanceof Float64Array) for (const item of value) assert.ok(Number.isFinite(item), `${item}`);
  assert.notEqual(value, null);
  if (typeof value === "string") assert.ok(value.length < 2_100 && !value.includes("\u202e"), value.slice(0, 40));
  if (typeof value !== "object" || value === null || value instanceof Float64Array) return;
  for (const item of Object.values(value)) checkClean(item);
}

async function read(url: string, path: string, query: ReadonlyMap<string, string>): Promise<unknown> {
  const response = await fetch(`${url}${path}?${new URLSearchParams([...query])}`, {
    headers: { "user-agent": BROWSER_AGENT },
  });
  return response.json();
}

/** The value with one of its parts, chosen by a number, replaced. */
function damage(value: unknown, place: number, hostile: unknown): unknown {
  if (typeof value !== "object" || value === null) return hostile;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (entries.length === 0 || place % 11 === 0) return hostile;
  const chosen = place % entries.length;
  const next = entries.map(
    ([key, item], index) => [key, index === chosen ? damage(item, Math.floor(place / 3), hostile) : item] as const,
  );
  return Array.isArray(value) ? next.map(([, item]) => item) : Object.fromEntries(next);
}
