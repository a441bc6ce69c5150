/**
 * Script twins: what the scripts in Lua do, in this process.
 *
 * With a real Redis, a test compares each twin with its script on random input.
 */
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
}

type Twin = (data: TwinData, keys: readonly string[], args: readonly string[]) => Reply;

/** Microseconds since 1970, as `TIME` gives them. */
const microseconds = (): number => Math.floor((performance.timeOrigin + performance.now()) * 1_000);

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
  [toScriptHash(TAKE.lua), take],
  [toScriptHash(GIVE_BACK.lua), giveBack],
]);
