/**
 * Play cases: what sources answer and refuse, as `cases.jsonl` has it: a line is a case, and a test.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { MarketError } from "../../port/market-error.ts";
import type { Reply, Seen } from "../../testing/fake-server.ts";
import { askFake, AskedLine, readFixture, toQuestion } from "./ask-fake.ts";

const REPLY = z.strictObject({
  status: z.int().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string(),
  end: z.enum(["cut", "hang", "reset"]).optional(),
});
const CASE = z.strictObject({
  source: z.string(),
  title: z.string(),
  at: z.number().optional(),
  key: z.string().optional(),
  allowed: z.int().optional(),
  /** Instead of the answers that are kept for everybody, by request. */
  replies: z.record(z.string(), z.array(REPLY)).default({}),
  steps: z.array(z.strictObject({ ask: AskedLine, gives: z.json().optional(), fails: z.json().optional() })),
  /** All that the service was asked. */
  requests: z.array(z.string()),
});

/** Elements of a list that a case shows at either end, if it is longer than it shows. */
const SHOWN = 2;
const MAX_LIST = 14;
const MAX_TEXT = 400;

/** Defines a test for each case of these sources. */
export function playCases(isPlayed: (source: string) => boolean): void {
  for (const one of readFixture("cases.jsonl", CASE).filter(({ source }) => isPlayed(source))) playCase(one);
}

function playCase({ source, title, steps, replies, requests, ...options }: z.output<typeof CASE>): void {
  test(`${source}: ${title}`, async () => {
    const left = new Map(Object.entries(replies));
    const answer = (seen: Seen): Reply | undefined => {
      const reply = left.get(toRequest({ ...seen, body: "" }))?.shift();
      return reply && { body: reply.body, ...omitUndefined({ ...reply, body: undefined }) };
    };
    await using asked = await askFake(source, { ...omitUndefined(options), answer });
    const { url } = asked.server;
    for (const { ask, gives, fails } of steps) {
      const outcome = await asked.ask(toQuestion(ask)).catch((error: unknown) => error);
      assert.deepEqual(show(outcome, url), gives ?? fails);
    }
    assert.deepEqual(asked.requests.map(toRequest), requests);
  });
}

function toRequest({ path, query, body }: Pick<Seen, "path" | "query" | "body">): string {
  const search = [...query].map(([name, value]) => `${name}=${value}`).join("&");
  return [search === "" ? path : `${path}?${search}`, body].join(" ").trim();
}

/** A value as a case writes it: without the address of the server, long lists by their ends and a digest. */
function show(value: unknown, url: string): unknown {
  const each = (item: unknown) => show(item, url);
  if (value instanceof MarketError) return each({ kind: value.kind, message: value.message, details: value.details });
  if (value instanceof Float64Array) {
    const sum = Number(value.reduce((total, number) => total + number, 0).toPrecision(12));
    return ["numbers", value.length, value[0], value.at(-1), sum];
  }
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, item]) => [name, each(item)]));
  if (Array.isArray(value)) {
    if (value.length <= MAX_LIST) return value.map(each);
    const digest = createHash("sha256")
      .update(JSON.stringify(value.map(each)))
      .digest("hex")
      .slice(0, 12);
    const more = `… ${value.length - 2 * SHOWN} more; ${digest}`;
    return [...value.slice(0, SHOWN).map(each), more, ...value.slice(-SHOWN).map(each)];
  }
  if (typeof value === "string") return value.replaceAll(url, "").slice(0, MAX_TEXT);
  if (typeof value !== "object" || value === null) return value;
  const known = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(known.map(([name, item]) => [name, each(item)]));
}
