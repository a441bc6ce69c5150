/**
 * Script twins: what the scripts in Lua do, in this process.
 *
 * With a real Redis, a test compares each twin with its script on random input.
 */
import { REMOVE, SAVE } from "../document-script.ts";
import { GIVE_BACK, TAKE } from "../rate-script.ts";
import { toScriptHash } from "../redis.ts";

/** The answer to a command; undefined is nil. */
export type Reply =
  | string
  | number
  | undefined
  | { readonly simple: string }
  | { readonly error: string }
  | readonly Reply[];

/** Data that scripts read and write. */
export interface TwinData {
  readonly texts: Map<string, string>;
  readonly hashes: Map<string, Map<string, string>>;
  readonly sorted: Map<string, Map<string, number>>;
}

type Twin = (data: TwinData, keys: readonly string[], args: readonly string[]) => Reply;

/** Microseconds since 1970, as `TIME` gives them. */
const microseconds = (): number => Math.floor((performance.timeOrigin + performance.now()) * 1_000);

function there(hash: ReadonlyMap<string, string> | undefined, id: string, now: number): string {
  const [version = "0", end = "-"] = hash?.get(id)?.split(" ", 2) ?? [];
  return end !== "-" && Number(end) <= now ? "0" : version;
}

const save: Twin = (data, [hashKey = "", endsKey = "", counter = ""], [nowText, ...rest]) => {
  const now = Number(nowText);
  const hash = data.hashes.get(hashKey) ?? new Map<string, string>();
  const ends = data.sorted.get(endsKey) ?? new Map<string, number>();
  const entries = Array.from({ length: rest.length / 4 }, (_, index) => rest.slice(index * 4, index * 4 + 4));
  for (const [index, [id = "", seen = ""]] of entries.entries()) {
    const version = there(hash, id, now);
    if (seen !== "" && seen !== version) return [`-${index}`, version];
  }
  const over = [...ends].filter(([, end]) => end <= now).toSorted(([, one], [, other]) => one - other);
  for (const [id] of over.slice(0, 64)) {
    hash.delete(id);
    ends.delete(id);
  }
  let last = Math.max(Number(data.texts.get(counter) ?? 0), microseconds());
  const versions = entries.map(([id = "", , end = "", text = ""]) => {
    last++;
    hash.set(id, `${last} ${end} ${text}`);
    if (end === "-") ends.delete(id);
    else ends.set(id, Number(end));
    return `${last}`;
  });
  data.texts.set(counter, `${last}`);
  data.hashes.set(hashKey, hash);
  data.sorted.set(endsKey, ends);
  return versions;
};

const remove: Twin = (data, [hashKey = "", endsKey = ""], [now, id = "", seen = ""]) => {
  const hash = data.hashes.get(hashKey);
  const version = there(hash, id, Number(now));
  if (seen !== "" && seen !== version) return `-${version}`;
  hash?.delete(id);
  data.sorted.get(endsKey)?.delete(id);
  return version === "0" ? "0" : "1";
};

interface Slot {
  readonly number: number;
  count: number;
  last: number;
}

function readSlots(text = ""): readonly Slot[] {
  return text
    .split(";")
    .slice(0, -1)
    .map((one) => {
      const [number, count, last] = one.split(" ").map(Number);
      return { number: number ?? 0, count: count ?? 0, last: last ?? 0 };
    });
}

const toSlotText = (slots: readonly Slot[]): string =>
  slots.map(({ number, count, last }) => `${number} ${count} ${last};`).join("");

const take: Twin = (data, keys, [nowText = "", slotText = "", ...limits]) => {
  const now = nowText === "" ? microseconds() / 1_000 : Number(nowText);
  const windows = keys.map((key, index) => {
    const lengthMs = Number(limits[index * 2]);
    const slots = readSlots(data.texts.get(key)).filter(({ last }) => last + lengthMs > now);
    return {
      key,
      lengthMs,
      slots,
      max: Number(limits[index * 2 + 1]),
      used: slots.reduce((sum, { count }) => sum + count, 0),
    };
  });
  const isFull = windows.some(({ used, max }) => used >= max);
  const uses = windows.flatMap(({ key, lengthMs, slots, used }) => {
    if (!isFull) {
      const number = Math.floor((now * Number(slotText)) / lengthMs);
      const newest = slots.at(-1);
      const slot = newest?.number === number ? newest : { number, count: 0, last: now };
      if (slot !== newest) slots.push(slot);
      slot.count++;
      slot.last = now;
      data.texts.set(key, toSlotText(slots));
    }
    const oldest = slots.find(({ count }) => count > 0);
    return [`${used}`, `${oldest === undefined ? 0 : Math.max(0, oldest.last + lengthMs - now)}`];
  });
  return [isFull ? "-" : `${now}`, ...uses];
};

const giveBack: Twin = (data, keys, [slotText, at, ...lengths]) => {
  for (const [index, key] of keys.entries()) {
    const wanted = Math.floor((Number(at) * Number(slotText)) / Number(lengths[index]));
    const slots = readSlots(data.texts.get(key));
    for (const slot of slots) if (slot.number === wanted && slot.count > 0) slot.count--;
    if (slots.length > 0) data.texts.set(key, toSlotText(slots));
  }
  return "OK";
};

/** The twins by the hash of their scripts. */
export const SCRIPT_TWINS: ReadonlyMap<string, Twin> = new Map([
  [toScriptHash(SAVE.lua), save],
  [toScriptHash(REMOVE.lua), remove],
  [toScriptHash(TAKE.lua), take],
  [toScriptHash(GIVE_BACK.lua), giveBack],
]);
