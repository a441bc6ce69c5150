/** `npm start -- --live` against servers that speak as the real ones do: what it answers, what it tells, what it refuses. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, suite, test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { z } from "zod";
import type { Fault } from "../market/testing/fake-server.ts";
import { FakeWorld } from "../market/testing/fake-world.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FRAME = z.looseObject({ type: z.string() });
const CONTENT = z.object({ content: z.string() });
const DONE = z.object({ data: z.looseObject({ grounding: z.looseObject({ referenced: z.number() }) }) });
const SOURCES = z.object({ items: z.array(z.looseObject({ source: z.string(), kind: z.string() })) });
const REPORT = z.object({
  mode: z.string(),
  sources: z.array(
    z.looseObject({
      name: z.string(),
      on: z.boolean(),
      why: z.string(),
      requests_today: z.number(),
      breaker: z.string(),
      last_success_at: z.string().optional(),
      last_error: z.object({ kind: z.string(), message: z.string() }).optional(),
    }),
  ),
  chains: z.record(z.string(), z.array(z.string())),
});

const world = await FakeWorld.start();
const folder = await mkdtemp(join(tmpdir(), "baton-live-"));
after(async () => {
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const { PATH = "" } = process.env;
const ENV = { PATH: [dirname(process.execPath), PATH].join(delimiter), HOME: folder, ...world.childEnv };

/** Starts `npm start` with these options; `said` returns what it has written. */
function start(options: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const data = ["--data", join(folder, "data"), "--port", "0", "--log-level", "silent"];
  const args = ["--silent", "start", "--", ...options, ...data];
  const child = spawn("npm", args, {
    cwd: ROOT,
    env: { ...ENV, OLLAMA_BASE_URL: "http://127.0.0.1:1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return { child, said: () => ({ stdout, stderr }) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, "exit");
  process.kill(-child.pid, "SIGTERM");
  await ended;
}

/** A server, until it is disposed of. */
async function serve(options: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { child, said } = start(options, env);
  while (!said().stdout.includes("\n") && child.exitCode === null) {
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  }
  const url = /^listening on (\S+)/.exec(said().stdout)?.[1] ?? assert.fail(said().stderr);
  const ask = async (question: string) => {
    const answer = await fetch(`${url}/api/v2/chat`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ question_input: question }),
    });
    return toAnswer(await answer.text());
  };
  const report = async () => REPORT.parse(await (await fetch(`${url}/api/finance/sources`)).json());
  return { ask, report, said, [Symbol.asyncDispose]: () => end(child) };
}

/** The text, the sources and the number of cited figures of a streamed answer. */
function toAnswer(stream: string) {
  const frames = stream.split("\n").flatMap((line) => {
    const json = line.startsWith("data: {") ? line.slice("data: ".length) : undefined;
    return json === undefined ? [] : [FRAME.parse(JSON.parse(json))];
  });
  const text = frames
    .flatMap((frame) => (frame.type === "content_delta" ? [CONTENT.parse(frame).content] : []))
    .join("");
  const sources = frames.flatMap((frame) => (frame.type === "sources" ? SOURCES.parse(frame).items : []));
  const done = frames.find(({ type }) => type === "done");
  return { text, sources, figures: done === undefined ? -1 : DONE.parse(done).data.grounding.referenced };
}

suite("npm start -- --live", () => {
  const cases: (readonly [title: string, run: () => Promise<void>])[] = [];
  const live = (title: string, run: () => Promise<void>) => cases.push([title, run]);

  live("answers from live sources and tells of each: on or off and why, chain, requests, breaker", async () => {
    await using server = await serve(["--live", "--without", "yahoo"], { SEC_CONTACT: "lan@example.org" });
    const before = await server.report();
    assert.deepEqual(before.chains["coinPrice"], ["binance", "kraken", "coingecko"]);
    assert.deepEqual(before.chains["quote"], ["cboe", "vndirect"]);
    const bitcoin = await server.ask("What is the price of bitcoin?");
    assert.deepEqual([bitcoin.sources[0]?.source, bitcoin.sources[0]?.kind], ["binance", "live"], bitcoin.text);
    const apple = await server.ask("What is the price of Apple?");
    assert.equal(apple.sources[0]?.source, "cboe", apple.text);
    assert.doesNotMatch(apple.text, /imulated/);
    world.of("binance").fault = "blocked";
    const again = await server.ask("What is the price of ethereum?");
    world.of("binance").fault = "none";
    assert.equal(again.sources[0]?.source, "kraken", again.text);
    const { sources } = await server.report();
    const byName = new Map(sources.map((source) => [source.name, source]));
    assert.equal(byName.get("yahoo")?.on, false);
    assert.match(byName.get("binance")?.last_error?.message ?? "", /region/);
    assert.ok((byName.get("cboe")?.requests_today ?? 0) > 0 && byName.get("cboe")?.last_success_at !== undefined);
    assert.ok(sources.every(({ breaker }) => breaker === "closed"));
    assert.doesNotMatch(JSON.stringify(sources), /lan@example/);
  });

  live("without a contact the SEC is off, and why is told; what needs the SEC says what to set", async () => {
    await using server = await serve(["--live"]);
    const { sources } = await server.report();
    const sec = sources.find(({ name }) => name === "sec");
    assert.deepEqual([sec?.on, sec?.why, sec?.requests_today], [false, "SEC_CONTACT is not set", 0]);
    assert.match((await server.ask("income statement of Apple")).text, /SEC_CONTACT/);
    assert.equal(world.of("sec").requests.filter(({ headers }) => !headers["user-agent"]?.includes("@")).length, 0);
  });

  const FAULTS: readonly Fault[] = ["down", "error", "throttled", "html", "json", "slow"];
  for (const fault of FAULTS) {
    live(`with every source ${fault}: no figure, nothing simulated, in both languages`, async () => {
      const keys = { FMP_API_KEY: "secret-key", SEC_CONTACT: "lan@example.org" };
      const env = { ...keys, BATON_FINANCE_TIMEOUT_SECONDS: "0.3" };
      await using server = await serve(["--live"], env);
      world.fault = fault;
      try {
        for (const question of ["What is the price of Apple?", "giá bitcoin hôm nay", "giá cổ phiếu Vinamilk"]) {
          const { text, figures, sources } = await server.ask(question);
          assert.deepEqual([figures, sources], [0, []], text);
          assert.doesNotMatch(text, /imulated|mô phỏng|secret-key/);
        }
      } finally {
        world.fault = "none";
      }
    });
  }

  const refusals = [
    [["--sources", "cboe"], {}, /--sources is gone/],
    [["--without", "stooq"], {}, /stooq/],
    [["--data-pack", "current"], {}, /there is no .*current\.json; `npm run finance -- data refresh` builds it/],
    [["--live"], { SEC_CONTACT: "Lan" }, /SEC_CONTACT is not an e-mail address/],
  ] as const;
  const refuse = async ([options, env, message]: (typeof refusals)[number]) => {
    const { child, said } = start(options, env);
    await once(child, "exit");
    assert.match(said().stderr, message);
    assert.equal(child.exitCode, 2);
    assert.equal(said().stdout, "");
  };
  live(
    "is refused before it listens: an option that is gone, an unknown name, a missing pack, a wrong contact",
    async () => {
      for (const refusal of refusals) await refuse(refusal);
    },
  );

  for (const [title, run] of inSlice(cases)) test(title, run);
});
