/** The command `baton-finance`, run as a child process against servers that speak as the real ones do. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { BatonError } from "@baton/core";
import { NOW, scopeAt } from "../market/sources/testing/scope-at.ts";
import { readMarketSettings } from "../market/chain/market-settings.ts";
import { openBuiltPack } from "../market/refresh/pack-folder.ts";
import { refreshPack } from "../market/refresh/refresh.ts";
import { FakeWorld } from "../market/testing/fake-world.ts";
import { startFinance } from "./testing/finance-command.ts";

const world = await FakeWorld.start();
const folder = await mkdtemp(join(tmpdir(), "baton-finance-bin-"));
after(async () => {
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startFinance(args, { folder, env: { ...world.childEnv, ...env } });

const CONTACT = { SEC_CONTACT: "lan@example.org" };
const readManifest = () => readFile(join(folder, "finance", "current.json"), "utf8");

const framesAsked = () => world.of("sec").requests.filter(({ path }) => path.includes("/frames/")).length;

/** A refresh in a hurry that is interrupted near its end, so that the command need not wait for its turn that often. */
async function fetchMost(): Promise<void> {
  const { scope } = scopeAt(NOW - 60_000);
  await using _ = scope;
  const env = { ...world.env, ...CONTACT, BATON_FINANCE_DATA: "auto", BATON_DATA: folder };
  const onProgress = (done: number, all: number) => {
    if (done > all - 12) scope.cancel(new BatonError("cancelled", "stop")).catch(() => undefined);
  };
  await assert.rejects(refreshPack({ settings: readMarketSettings(env), name: "current", onProgress }, scope));
}

suite("baton-finance", () => {
  test("tells what is not a command, and its own help", async () => {
    assert.match((await start(["data", "refrsh"]).ended()).stderr, /there is no command `data refrsh`/);
    assert.match((await start(["--help"]).ended()).stdout, /data refresh.*\n.*data status/);
  });

  test("goes on with what was fetched, leaves the pack whole when interrupted, and tells what it has", async () => {
    await fetchMost();
    const fetched = framesAsked();
    const built = await start(["data", "refresh"], CONTACT).ended();
    assert.deepEqual([built.exitCode, built.stderr.includes("error")], [0, false], built.stderr);
    assert.match(built.stdout, /use it with: npm start -- --data-pack current/);
    assert.ok(framesAsked() - fetched < fetched / 4, "it begins anew");
    const before = await readManifest();
    world.of("sec").fault = "slow";
    const { child, ended } = start(["data", "refresh"], CONTACT);
    await world.of("sec").seen(world.of("sec").requests.length + 1);
    child.kill("SIGINT");
    const stopped = await ended();
    world.of("sec").fault = "none";
    assert.match(stopped.stderr, /interrupted; the pack in use is unchanged, and the next refresh goes on from here/);
    assert.equal(stopped.exitCode, 130);
    assert.equal(await readManifest(), before);
    assert.ok(openBuiltPack(folder, "current").pack.companies.length > 0);
    assert.match((await start(["data", "status"]).ended()).stdout, /\d+ companies, \d+ fiscal years/);
  });
});
