/**
 * Fault suite: whatever a service does instead of answering, its source tells as a typed error and never as data.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scope } from "@baton/core/ports";
import type { MarketErrorKind } from "../../port/market-error.ts";
import { FakeServer, type Reply } from "../../testing/fake-server.ts";
import { SkipShortWaitsClock } from "../../testing/skip-short-waits-clock.ts";
import type { LiveSource } from "../live-source.ts";
import type { OpenSourceOptions } from "../open-source.ts";

/** A source and one question to it. */
export interface FaultSuite {
  readonly name: string;
  readonly open: (options: OpenSourceOptions) => LiveSource;
  readonly ask: (source: LiveSource, scope: Scope) => Promise<unknown> | undefined;
  /** Faults that mean something else at this service. */
  readonly except?: Readonly<Record<string, readonly [MarketErrorKind, RegExp]>>;
}

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

/** Every fault, one test each. */
export function testFaults({ name, open, ask, except = {} }: FaultSuite): void {
  for (const { title, reply, ...usual } of FAULTS) {
    const [kind, message] = except[title] ?? [usual.kind, usual.message];
    test(`${name}: ${title} is ${kind}, not data`, async () => {
      const clock = new SkipShortWaitsClock();
      await using scope = Scope.root({ clock });
      await using server = await FakeServer.start(() => reply);
      const totalMs = reply.end === "hang" ? 4_000 : 60_000;
      const source = open({ baseUrl: server.url, limits: { totalMs } });
      await assert.rejects(async () => ask(source, scope), { name: "MarketError", kind, message });
      if (kind !== "throttled") return;
      // Once it has asked to be left alone, it is.
      const asked = server.requests.length;
      await assert.rejects(async () => ask(source, scope), { kind });
      assert.equal(server.requests.length, asked);
      assert.equal(source.stats(clock.now()).breaker, "open");
      assert.equal(source.stats(clock.now()).retryAt, new Date(clock.now() + 7_000).toISOString());
    });
  }
}
