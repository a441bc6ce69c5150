import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { BatonError } from "@baton/core";
import { Scope } from "@baton/core/ports";
import { inSlice } from "@baton/core/testing";
import type { Listing } from "../port/listing.ts";
import { readMarketSettings } from "../chain/market-settings.ts";
import { openMarket } from "../chain/open-market.ts";
import { FakeWorld } from "../testing/fake-world.ts";
import { SkipShortWaitsClock } from "../testing/skip-short-waits-clock.ts";
import { openBuiltPack } from "./pack-folder.ts";
import { packSource } from "./pack-source.ts";
import { refreshPack } from "./refresh.ts";

const clock = new SkipShortWaitsClock();
const now = () => clock.now();
const world = await FakeWorld.start();
const [sec, treasury] = [world.of("sec"), world.of("treasury")];
const parent = await mkdtemp(join(tmpdir(), "baton-refresh-"));
after(async () => {
  await world[Symbol.asyncDispose]();
  await rm(parent, { recursive: true });
});

let folders = 0;
const newFolder = () => join(parent, `${folders++}`);

const toEnv = (folder: string) => ({
  BATON_FINANCE_DATA: "live",
  SEC_CONTACT: "lan@example.org",
  ...world.env,
  BATON_DATA: folder,
});

async function refresh(folder: string, scope?: Scope, onProgress?: (done: number, all: number) => void) {
  await using root = Scope.root({ clock });
  const settings = readMarketSettings(toEnv(folder));
  return await refreshPack({ settings, name: "current", ...(onProgress && { onProgress }) }, scope ?? root);
}

const stock = (symbol: string): Listing => {
  return { symbol, name: symbol, exchange: "NASDAQ", type: "stock", currency: "USD" };
};

suite("data refresh", () => {
  /** One pack, for the tests that only read it. */
  let builtFolder: string;
  let built: Awaited<ReturnType<typeof refresh>>;
  before(async () => {
    builtFolder = newFolder();
    built = await refresh(builtFolder);
  });

  test("a pack has each company's years as its books have them, read by the same reader", async () => {
    const [folder, manifest] = [builtFolder, built];
    assert.deepEqual(manifest.years, [2020, 2021, 2022, 2023, 2024, 2025, 2026]);
    assert.ok(manifest.sources.length > 100 && (manifest.counts["rates"] ?? 0) > 100);
    const source = packSource(openBuiltPack(folder, "current").pack, manifest);
    await using scope = Scope.root({ clock });
    const query = { listing: stock("COST"), statement: "income", period: "annual", limit: 9 } as const;
    const { data, provenance } = (await source.statements?.(query, scope)) ?? assert.fail();
    assert.deepEqual(
      data.map(({ start, end, values }) => [start, end, values.get("revenue"), values.get("netIncome")]),
      [
        ["2024-09-02", "2025-08-31", 210_000_000, 42_000_000],
        ["2023-09-04", "2024-09-01", 195_600_000, 39_120_000],
        ["2022-08-29", "2023-09-03", 181_200_000, 36_240_000],
        ["2021-08-30", "2022-08-28", 166_800_000, 33_360_000],
        ["2020-08-31", "2021-08-29", 152_400_000, 30_480_000],
        ["2019-09-02", "2020-08-30", 138_000_000, 27_600_000],
      ],
    );
    assert.deepEqual([provenance.source, provenance.kind], ["pack", "history"]);
    const balance = (await source.statements?.({ ...query, statement: "balance" }, scope))?.data[0];
    assert.equal(balance?.values.get("totalAssets"), 456_000_000);
    const cash = (await source.statements?.({ ...query, statement: "cash_flow" }, scope))?.data[0]?.values;
    const free = (cash?.get("operatingCashFlow") ?? 0) + (cash?.get("capitalExpenditure") ?? 0);
    assert.ok((cash?.get("capitalExpenditure") ?? 0) < 0 && cash?.get("freeCashFlow") === free);
  });

  test("symbols of one company share its statements; restated values count; quarters are no data", async () => {
    const source = packSource(openBuiltPack(builtFolder, "current").pack, built);
    await using scope = Scope.root({ clock });
    const ask = (symbol: string, period: "annual" | "quarter" = "annual") =>
      source.statements?.({ listing: stock(symbol), statement: "income", period, limit: 9 }, scope) ?? assert.fail();
    assert.deepEqual((await ask("GOOG")).data, (await ask("GOOGL")).data);
    const restated = (await ask("AAPL")).data.find(({ end }) => end.startsWith("2022"));
    assert.equal(restated?.values.get("revenue"), 652_000_000 * 0.9);
    await assert.rejects(ask("AAPL", "quarter"), { kind: "no_data", message: /only annual statements of AAPL/ });
    await assert.rejects(ask("ZZZZ"), { kind: "no_data" });
  });

  test("rates and currencies of the pack are those of their sources, with their days", async () => {
    const source = packSource(openBuiltPack(builtFolder, "current").pack, built);
    await using scope = Scope.root({ clock });
    const curve = (await source.rates?.({ series: "treasury_curve" }, scope)) ?? assert.fail();
    assert.ok(curve.data.some(({ name }) => name === "10Y") && new Set(curve.data.map(({ day }) => day)).size === 1);
    const week = await source.rates?.({ series: "sofr", from: "2026-02-23", to: "2026-02-27" }, scope);
    assert.ok((week?.data.length ?? 0) > 2);
    await assert.rejects(async () => source.rates?.({ series: "libor" }, scope), { kind: "no_data" });
    const dong = (await source.fx?.({ from: "usd", to: "VND" }, scope))?.data.rate ?? 0;
    const back = (await source.fx?.({ from: "VND", to: "USD" }, scope))?.data.rate ?? 0;
    assert.ok(dong > 1_000 && Math.abs(dong * back - 1) < 1e-9);
    await assert.rejects(async () => source.fx?.({ from: "USD", to: "VND", day: "2020-01-02" }, scope), {
      kind: "no_data",
    });
  });

  test("one that is interrupted leaves the old pack whole, and the next fetches only what is missing", async () => {
    const folder = newFolder();
    await refresh(folder);
    const manifest = await readFile(join(folder, "finance", "current.json"), "utf8");
    await using scope = Scope.root({ clock });
    const stopped = refresh(folder, scope, (done) => {
      if (done >= 40) scope.cancel(new BatonError("cancelled", "stop")).catch(() => undefined);
    });
    await assert.rejects(stopped);
    assert.equal(await readFile(join(folder, "finance", "current.json"), "utf8"), manifest);
    assert.ok(openBuiltPack(folder, "current").pack.companies.length > 0);
    const framesSoFar = () => sec.requests.filter(({ path }) => path.includes("/frames/")).length;
    const first = framesSoFar();
    let all = 0;
    await refresh(folder, undefined, (_done, total) => (all = total));
    assert.ok(framesSoFar() - first <= all - 36, "what was fetched is fetched again");
    const files = await readdir(join(folder, "finance"));
    assert.equal(files.filter((name) => name.endsWith(".pack")).length, 1);
    assert.ok(!files.some((name) => name.includes("refresh") || name.endsWith(".part")));
  });

  test("one that fails says why, and the old pack stays", async () => {
    const folder = newFolder();
    await refresh(folder);
    for (const fault of inSlice(["error", "html", "json", "throttled"] as const)) {
      sec.fault = fault;
      await assert.rejects(refresh(folder), { name: "MarketError" }).finally(() => (sec.fault = "none"));
      assert.ok(openBuiltPack(folder, "current").pack.companies.length > 0);
    }
    treasury.fault = "error";
    await assert.rejects(refresh(folder), { kind: "upstream" }).finally(() => (treasury.fault = "none"));
    assert.ok(openBuiltPack(folder, "current").pack.companies.length > 0);
  });

  test("a pack that is missing or damaged is refused with the command that builds it", async () => {
    const folder = newFolder();
    const command = /npm run finance -- data refresh/;
    assert.throws(() => openBuiltPack(folder, "current"), { kind: "not_configured", message: command });
    assert.throws(() => openBuiltPack(folder, "../x"), { message: /not the name of a pack/ });
    const { pack } = await refresh(folder);
    const other = await readFile(join(import.meta.dirname, "../pack/market.pack"));
    for (const content of ["broken", other]) {
      await writeFile(join(folder, "finance", pack.file), content);
      assert.throws(() => openBuiltPack(folder, "current"), { message: command });
    }
    await writeFile(join(folder, "finance", "current.json"), "{");
    assert.throws(() => openBuiltPack(folder, "current"), { message: command });
  });

  test("a market with the pack answers from it where nothing is live, and live sources come first", async () => {
    const folder = builtFolder;
    await using scope = Scope.root({ clock });
    const env = { BATON_FINANCE_DATA: "offline", BATON_FINANCE_DATA_PACK: "current", BATON_DATA: folder };
    const market = await openMarket({ env, clock: { now } });
    const aapl = market.directory.get("AAPL") ?? assert.fail();
    const query = { listing: aapl, statement: "income", period: "annual", limit: 9 } as const;
    assert.equal((await market.statements(query, scope)).provenance.source, "pack");
    assert.equal((await market.rates({ series: "treasury_curve" }, scope)).provenance.source, "pack");
    assert.match(market.mode, /^offline, pack of 2026-03-05T/);
    assert.equal(market.sources().sources.find(({ name }) => name === "pack")?.on, true);
    const live = await openMarket({ env: { ...env, ...toEnv(folder) }, clock: { now } });
    const asked = await live.statements({ ...query, listing: live.directory.get("AAPL") ?? assert.fail() }, scope);
    assert.equal(asked.provenance.source, "sec");
    await assert.rejects(openMarket({ env: { ...env, BATON_DATA: newFolder() }, clock: { now } }), {
      kind: "not_configured",
    });
  });
});
