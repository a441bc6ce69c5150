/** The assistant when its live sources fail, with the real command: it says what is missing and makes nothing up. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { promisify } from "node:util";
import { inSlice } from "@baton/core/testing";
import { z } from "zod";
import { FakeFmp } from "../market/testing/fmp/fake-fmp.ts";
import type { Fault } from "../market/testing/fake-server.ts";
import { FakeWorld } from "../market/testing/fake-world.ts";

const BATON = join(import.meta.dirname, "../../../packages/cli/bin/baton.js");
const cwd = await mkdtemp(join(tmpdir(), "baton-finance-"));
const fmp = await FakeFmp.start();
const world = await FakeWorld.start();
after(async () => {
  await fmp[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  await rm(cwd, { recursive: true });
});

const EVENT = z.looseObject({ type: z.string(), text: z.string().optional(), kind: z.string().optional() });

/** Asks with a key for FMP and the open sources on, and no key for a model. */
async function ask(question: string, fault: Fault) {
  fmp.fault = fault;
  world.fault = fault;
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: cwd,
    FMP_API_KEY: "secret-key-of-fmp",
    FMP_BASE_URL: fmp.url,
    BATON_FINANCE_DATA: "live",
    ...world.env,
  };
  const args = [BATON, "run", import.meta.dirname, question, "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env, maxBuffer: 64 * 1_024 * 1_024 });
  assert.ok(!stdout.includes("secret-key"), "a key is shown");
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => EVENT.parse(JSON.parse(line)));
  const figures = events.find(({ type, kind }) => type === "note.made" && kind === "figures")?.["data"];
  return {
    text: events.findLast(({ type }) => type === "run.ended")?.text ?? "",
    figures: z.looseObject({ figures: z.number() }).parse(figures).figures,
    charts: events.filter(({ type, kind }) => type === "note.made" && kind === "chart").length,
  };
}

const FAULTS: readonly Fault[] = ["down", "error", "throttled", "html", "json"];

suite("the assistant on live sources", () => {
  const cases: (readonly [title: string, run: () => Promise<void>])[] = [];
  const question = (title: string, run: () => Promise<void>) => cases.push([title, run]);

  question("answers with live figures while they work", async () => {
    const { text, figures } = await ask("What is the price of Apple?", "none");
    assert.match(text, /Apple Inc\. \(AAPL\)/);
    assert.ok(figures > 0 && !text.includes("imulated"), text);
  });

  for (const fault of FAULTS) {
    question(`says that the price is missing when FMP is ${fault}, with no figure and no chart`, async () => {
      const { text, figures, charts } = await ask("What is the price of Apple?", fault);
      assert.deepEqual([figures, charts], [0, 0], text);
      assert.match(text, /AAPL/);
      assert.doesNotMatch(text, /imulated/);
    });
  }

  question("says in Vietnamese that the coin's price is missing when all exchanges are down", async () => {
    const { text, figures } = await ask("giá bitcoin hôm nay", "down");
    assert.equal(figures, 0, text);
    assert.match(text, /không|chưa/);
  });

  for (const [title, run] of inSlice(cases)) test(title, run);
});
