/** Whatever a service does instead of answering, its source tells as a typed error and never as data. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { MarketErrorKind } from "../port/market-error.ts";
import type { Reply } from "../testing/fake-server.ts";
import { askFake, AskedLine, readFixture, toQuestion } from "./testing/ask-fake.ts";

type Fault = Readonly<{ title: string; reply: Reply; kind: MarketErrorKind; message: RegExp }>;

const PAGE = "<!doctype html><title>Maintenance</title>";
const html = (status: number): Reply => ({ status, body: PAGE, headers: { "content-type": "text/html" } });
const LATER = { "retry-after": "7" };

const FAULTS: readonly Fault[] = [
  { title: "an HTML page with status 200", reply: html(200), kind: "upstream", message: /HTML/ },
  { title: "an HTML page that says it is JSON", reply: { body: PAGE }, kind: "upstream", message: /HTML/ },
  {
    title: "plain text with status 200",
    reply: { body: "Service is busy", headers: { "content-type": "text/plain" } },
    kind: "upstream",
    message: /content type/,
  },
  { title: "status 429", reply: { status: 429, body: "{}", headers: LATER }, kind: "throttled", message: /slow down/ },
  { title: "status 418", reply: { status: 418, body: "{}", headers: LATER }, kind: "throttled", message: /banned/ },
  { title: "status 451", reply: { status: 451, body: "{}" }, kind: "upstream", message: /region/ },
  { title: "status 403", reply: html(403), kind: "upstream", message: /refused/ },
  { title: "status 500", reply: html(500), kind: "upstream", message: /500/ },
  { title: "broken JSON", reply: { body: '{"data": [{"a":' }, kind: "upstream", message: /broken JSON/ },
  { title: "another shape", reply: { body: '{"unexpected":true}' }, kind: "upstream", message: /unexpected shape/ },
  { title: "null", reply: { body: "null" }, kind: "upstream", message: /unexpected shape/ },
  { title: "a cut body", reply: { body: '{"data": [1', end: "cut" }, kind: "upstream", message: /ended too early/ },
  { title: "an empty body", reply: { body: "" }, kind: "upstream", message: /broken JSON/ },
  { title: "a broken connection", reply: { body: "", end: "reset" }, kind: "upstream", message: /no connection/ },
  { title: "silence", reply: { body: "", end: "hang" }, kind: "upstream", message: /took longer/ },
];

const QUESTION = z.strictObject({
  source: z.string(),
  ask: AskedLine,
  /** Faults that mean something else at this service. */
  except: z.record(z.string(), z.tuple([z.enum(["upstream", "throttled", "no_data"]), z.string()])).default({}),
});

for (const { source: name, ask, except } of readFixture("questions.jsonl", QUESTION)) {
  for (const { title, reply, ...usual } of FAULTS) {
    const [kind, message] = except[title] ?? [usual.kind, usual.message];
    test(`${name}, asked for ${JSON.stringify(ask)}: ${title} is ${kind}, not data`, async () => {
      const totalMs = reply.end === "hang" ? 4_000 : 60_000;
      await using asked = await askFake(name, { answer: () => reply, limits: { totalMs } });
      const { source, clock } = asked;
      await asked.fails(toQuestion(ask), { kind, message: new RegExp(message) });
      if (kind !== "throttled") return;
      // Once it has asked to be left alone, it is.
      const count = asked.requests.length;
      await asked.fails(toQuestion(ask), { kind });
      assert.equal(asked.requests.length, count);
      assert.equal(source.stats(clock.now()).breaker, "open");
      assert.equal(source.stats(clock.now()).retryAt, new Date(clock.now() + 7_000).toISOString());
    });
  }
}
