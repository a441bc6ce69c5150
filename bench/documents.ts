/**
 * Documents: how fast they are written, listed and found among a hundred thousand of one user.
 *
 * `node bench/documents.ts [--count=100000]`. Everything is on a real SQLite file in a temporary folder. What the
 * figures mean is in this folder's README.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Documents, NewDocument } from "@baton/core/ports";
import { LOCAL } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { print } from "./report.ts";

const AT_ONCE = 1_000;
const DIMENSIONS = 384;
const WORDS = 20_000;
const WORDS_EACH = 40;

const { values: options } = parseArgs({ options: { count: { type: "string", default: "100000" } } });
const COUNT = Number(options.count);
const chance = toChance(42);
const vocabulary = newWords();
const word = toWord(vocabulary);

const folder = await mkdtemp(join(tmpdir(), "baton-bench-"));
try {
  await using database = await openSqlite({ path: join(folder, "baton.db") });
  await measure(database.documents(LOCAL));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(documents: Documents): Promise<void> {
  const texts: string[] = [];
  const began = performance.now();
  while (texts.length < COUNT) {
    const batch = Array.from({ length: AT_ONCE }, (_, index) => newDocument(texts.length + index));
    await documents.putAll("facts", batch);
    await documents.putAll("small", batch.slice(0, AT_ONCE / 10));
    texts.push(...batch.map(({ text }) => text));
  }
  print("write, a thousand at once", { "documents a second": (COUNT * 1_100) / (performance.now() - began) });
  await report("write one, on disk", 200, () => documents.put("facts", newDocument(Math.floor(chance() * COUNT))));
  await report("list 100 in order", 200, () => documents.list("facts", { orderBy: "at" }));
  await report("list 100 in order, with a value", 200, (index) =>
    documents.list("facts", { where: { group: index % 100 }, orderBy: "at" }),
  );
  await report("search", 1_000, () => documents.search("facts", { text: toQuery(texts) }));
  await report("search for the commonest word", 50, () => documents.search("facts", { text: vocabulary[0] ?? "" }));
  await report(`nearest of ${COUNT}`, 20, () => documents.nearest("facts", { vector: newVector() }));
  await report(`nearest of ${COUNT / 10}`, 50, () => documents.nearest("small", { vector: newVector() }));
}

/** Does something often, and prints how long it takes: by the clock, and by the processor, as on a quiet machine. */
async function report(name: string, times: number, once: (index: number) => Promise<unknown>): Promise<void> {
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let index = 0; index < times; index++) {
    const before = process.cpuUsage();
    const began = performance.now();
    await once(index);
    wall.push(performance.now() - began);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1_000);
  }
  print(name, {
    "p50 ms": percentileOf(wall, 50),
    "p99 ms": percentileOf(wall, 99),
    "p50 CPU ms": percentileOf(cpu, 50),
    "p99 CPU ms": percentileOf(cpu, 99),
  });
}

function newDocument(number: number): NewDocument & { readonly text: string } {
  const text = Array.from({ length: WORDS_EACH }, word).join(" ");
  const index = { at: number, group: number % 100 };
  return { id: `fact/${number}`, data: { text, number }, text, index, vector: newVector() };
}

/** Two or three words that occur together, the last cut short as by somebody who still types. */
function toQuery(texts: readonly string[]): string {
  const words = (texts[Math.floor(chance() * texts.length)] ?? "").split(" ");
  const some = Array.from(
    { length: 2 + Math.floor(chance() * 2) },
    () => words[Math.floor(chance() * words.length)] ?? "",
  );
  const last = some.at(-1) ?? "";
  return [...some.slice(0, -1), last.slice(0, Math.max(3, last.length - 2))].join(" ");
}

function newVector(): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, () => chance() - 0.5);
}

/** Words as often as in a language: the second half as often as the first, the third a third as often. */
function toWord(words: readonly string[]): () => string {
  const sums: number[] = [];
  for (let rank = 0; rank < words.length; rank++) sums.push((sums.at(-1) ?? 0) + 1 / (rank + 1));
  return () => {
    const place = chance() * (sums.at(-1) ?? 0);
    let [low, high] = [0, words.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? "";
  };
}

/** Different words of one to four syllables, of which many begin alike. */
function newWords(): readonly string[] {
  const pick = (letters: string): string => letters[Math.floor(chance() * letters.length)] ?? "";
  const words = new Set<string>();
  while (words.size < WORDS) {
    const syllables = 1 + Math.floor(chance() * 4);
    words.add(Array.from({ length: syllables }, () => pick("bcdfghklmnprstv") + pick("aeiou")).join(""));
  }
  return [...words];
}

/** The same chance every time. */
function toChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function percentileOf(values: readonly number[], percent: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length * percent) / 100)] ?? Number.NaN;
}
