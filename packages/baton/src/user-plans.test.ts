import assert from "node:assert/strict";
import { test } from "node:test";
import { type Chunk, type Crew, defineCrew, type Model } from "@baton/core";
import { ToolThreads } from "@baton/durable/threads";
import { KeyRing, startServer } from "@baton/server";
import { z } from "zod";
import { knowCrew } from "./known-crews.ts";
import { openParts } from "./parts.ts";
import type { UserPlans } from "./user-plans.ts";

const REPLY: readonly Chunk[] = [
  { type: "text", text: "Green tea." },
  { type: "end", finish: "stop", usage: { inputTokens: 10, outputTokens: 10 } },
];
const MODEL: Model = {
  name: "openai/gpt-5-mini",
  async *stream() {
    yield REPLY;
  },
};

const toShop = (settings: Parameters<typeof defineCrew>[0]["settings"] = {}): Crew =>
  defineCrew({
    name: "shop",
    agents: [{ id: "clerk", isTerminal: true }],
    settings: { maxCallsPerDay: 10, timeoutMs: 5_000, ...settings },
  });

/** Calls wait for the next day only if the run may take that long. */
const TOO_LATE = "the call would have to wait longer than the run may take, and ";

const RUN = z.object({ outcome: z.string(), error: z.object({ message: z.string() }).optional() });

type Ask = () => Promise<string>;

/** One key of a user. */
interface KeyHolder {
  readonly tenant: string;
  readonly user: string;
  readonly plan?: "free" | "premium";
}

/** Serves a crew to holders of keys, and gives `play` one way to ask for each key; without keys, one for everybody. */
async function serveTo(
  holders: readonly KeyHolder[],
  { crew = toShop(), plans = {} }: Readonly<{ crew?: Crew; plans?: UserPlans }>,
  play: (asks: readonly Ask[]) => Promise<void>,
): Promise<void> {
  const known = knowCrew(crew);
  await using parts = await openParts({
    env: {},
    store: { store: "memory", data: "", postgres: undefined },
    threads: new ToolThreads(),
    readCrews: () => Promise.resolve([known]),
    models: { override: undefined, fixed: MODEL },
    plans,
    nameOf: (setting) => setting,
    warn: (text) => assert.fail(text),
  });
  const { store, models } = parts;
  const ring = new KeyRing({ database: store.database, clock: store.clock, isLoopback: true });
  const keys: string[] = [];
  for (const { tenant, ...holder } of holders) keys.push((await ring.create(tenant, ["run", "read"], holder)).key);
  const server = await startServer({
    store,
    crews: [known.served],
    model: models.modelOf,
    port: 0,
    logLevel: "silent",
  });
  try {
    await play((keys.length === 0 ? [""] : keys).map((key) => () => ask(server.url, key)));
  } finally {
    await server.stop();
  }
}

/** The outcome of a run, or the message of its error. */
async function ask(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/api/runs`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      prefer: "wait",
      ...(key !== "" && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ crew: "shop", input: "What shall I drink?" }),
  });
  const { outcome, error } = RUN.parse(await response.json());
  return error?.message ?? outcome;
}

const EVE = { tenant: "evil", user: "eve" };
const ANN = { tenant: "acme", user: "ann" };

test("one tenant cannot use up the day of another: without any setting, a user has a fifth of it", async () => {
  // A second key of the same user is the same user; the same name at another tenant is another.
  const holders = [EVE, ANN, EVE, { ...EVE, tenant: "acme" }];
  await serveTo(holders, {}, async ([eve, ann, eveAgain, otherEve]) => {
    const whose = 'max_calls_per_user_per_day of user "eve" of tenant "evil" in crew shop';
    const refused = `${TOO_LATE}2 of 2 calls are made (${whose})`;
    assert.deepEqual([await eve?.(), await eve?.(), await eve?.()], ["done", "done", refused]);
    assert.equal(await ann?.(), "done");
    assert.equal(await eveAgain?.(), refused);
    assert.equal(await otherEve?.(), "done");
  });
});

test("the plan of the key chooses the limits, and a limit names whose it is", async () => {
  const plans = { free: { maxTokensPerUserPerDay: 7 } };
  await serveTo([EVE, { ...ANN, plan: "premium" }], { plans }, async ([eve, ann]) => {
    const refused =
      /and 0 of 7 tokens are used \(plans\.free\.max_tokens_per_user_per_day of user "eve" of tenant "evil"\)$/;
    assert.match((await eve?.()) ?? "", refused);
    assert.equal(await ann?.(), "done");
  });
});

test("a crew's own limit for one user holds in that crew", async () => {
  await serveTo([EVE], { crew: toShop({ maxTokensPerUserPerDay: 7 }) }, async ([eve]) => {
    const refused =
      /and 0 of 7 tokens are used \(max_tokens_per_user_per_day of user "eve" of tenant "evil" in crew shop\)$/;
    assert.match((await eve?.()) ?? "", refused);
  });
});

test("without keys there is no share: the crew's limits are the only ones", async () => {
  await serveTo([], { crew: toShop({ maxCallsPerDay: 2 }) }, async ([anyone]) => {
    const outcomes = [await anyone?.(), await anyone?.(), await anyone?.()];
    assert.deepEqual(outcomes, ["done", "done", `${TOO_LATE}2 of 2 calls are made (max_calls_per_day of crew shop)`]);
  });
});
