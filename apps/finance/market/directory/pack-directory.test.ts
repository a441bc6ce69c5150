import assert from "node:assert/strict";
import { test } from "node:test";
import { openPack } from "../pack/pack.ts";
import { openPackDirectory } from "./pack-directory.ts";

const pack = openPack();

/** A clock that counts how often work let others run. */
function countBreaths() {
  let breaths = 0;
  return {
    clock: {
      breathe: () => {
        breaths++;
        return undefined;
      },
    },
    count: () => breaths,
  };
}

const listOf = (symbol: string, name: string, cik = "0000000001") => new Map([[symbol, { name, cik }]]);

test("companies of a second list are found beside those of the first, and the later name of a symbol counts", async () => {
  const directory = openPackDirectory(pack);
  const { clock } = countBreaths();
  await directory.add(listOf("ZZFIRST", "Quixotic Windmills Inc"), clock);
  await directory.add(listOf("ZZSECOND", "Larch and Heather plc"), clock);
  assert.equal(directory.get("ZZFIRST")?.name, "Quixotic Windmills Inc");
  assert.equal(directory.get("ZZSECOND")?.name, "Larch and Heather plc");
  await directory.add(listOf("ZZFIRST", "Quixotic Mills Inc", "0000000002"), clock);
  assert.deepEqual(
    [directory.get("ZZFIRST")?.name, directory.get("ZZFIRST")?.cik],
    ["Quixotic Mills Inc", "0000000002"],
  );
  const again = countBreaths();
  await directory.add(listOf("ZZSECOND", "Larch and Heather plc"), again.clock);
  assert.equal(again.count(), 0, "a list that is known is filed again");
});

test("questions are answered by the directory before while a list is added, and others may run after each listing", async () => {
  const directory = openPackDirectory(pack);
  const { clock, count } = countBreaths();
  const adding = directory.add(listOf("ZZNEW", "Quixotic Windmills Inc"), {
    breathe: () => {
      clock.breathe();
      return count() % 1_000 === 0 ? Promise.resolve() : undefined;
    },
  });
  assert.equal(directory.get("ZZNEW"), undefined);
  assert.equal(directory.get("AAPL")?.symbol, "AAPL");
  await adding;
  assert.equal(directory.get("ZZNEW")?.symbol, "ZZNEW");
  assert.ok(count() > 3 * directory.size, `${count()} pauses for ${directory.size} listings`);
});

test("of two lists that are added at the same time, both are there, whichever is ready first", async () => {
  const directory = openPackDirectory(pack);
  const gate = Promise.withResolvers<void>();
  let isHeld = true;
  const held = { breathe: () => (isHeld ? gate.promise : undefined) };
  const first = directory.add(listOf("ZZFIRST", "Quixotic Windmills Inc"), held);
  await directory.add(listOf("ZZSECOND", "Larch and Heather plc"), { breathe: () => undefined });
  isHeld = false;
  gate.resolve();
  await first;
  assert.deepEqual([directory.get("ZZFIRST")?.symbol, directory.get("ZZSECOND")?.symbol], ["ZZFIRST", "ZZSECOND"]);
});
