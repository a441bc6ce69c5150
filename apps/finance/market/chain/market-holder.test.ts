import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openPack } from "../pack/pack.ts";
import { openPackDirectory } from "../directory/pack-directory.ts";
import { findContact } from "./kept-contact.ts";
import { MarketHolder } from "./market-holder.ts";
import type { MarketEnvironment } from "./market-settings.ts";
import { openMarket } from "./open-market.ts";

const folder = await mkdtemp(join(tmpdir(), "market-holder-"));
after(() => rm(folder, { recursive: true }));

const pack = openPack();
const directory = openPackDirectory(pack);
const make = (env: MarketEnvironment) => openMarket({ env, clock: { now: () => 0 }, pack, directory });
const OFFLINE = { BATON_FINANCE_DATA: "offline", BATON_DATA: folder };

test("the market is opened once, and again after a change, with what was changed before", async () => {
  const holder = new MarketHolder(OFFLINE, make);
  const first = await holder.open();
  assert.equal(await holder.open(), first);
  const online = await holder.change({ data: "auto" });
  assert.notEqual(online, first);
  assert.equal(online.sources().mode, "auto");
  const filing = await holder.change({ sec_contact: "lan@example.org" });
  assert.deepEqual([filing.sources().mode, await holder.open()], ["auto", filing]);
  assert.equal(filing.sources().sources.find(({ name }) => name === "sec")?.on, true);
  assert.equal(await findContact({}, folder), "lan@example.org");
});

test("a change that is wrong is refused, and the market stays as it is", async () => {
  const holder = new MarketHolder(OFFLINE, make);
  const first = await holder.open();
  await assert.rejects(holder.change({ sec_contact: "Lan" }), { kind: "not_configured" });
  assert.equal(await holder.open(), first);
});

test("a market that could not be opened is tried again", async () => {
  let tries = 0;
  const holder = new MarketHolder(OFFLINE, (env) => (tries++ === 0 ? Promise.reject(new Error("busy")) : make(env)));
  await assert.rejects(holder.open(), { message: "busy" });
  assert.equal((await holder.open()).sources().mode, "offline");
});
