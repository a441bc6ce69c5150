import assert from "node:assert/strict";
import { test } from "node:test";
import { isWatched } from "./trading.ts";

const at = (text: string): number => Date.parse(text);
const US = { type: "stock", exchange: "NASDAQ" } as const;
const VN = { type: "stock", exchange: "HOSE" } as const;
const COIN = { type: "crypto", exchange: "CRYPTO" } as const;

test("a coin is watched at every hour", () => {
  for (const time of ["2024-11-23T03:00:00Z", "2024-12-25T12:00:00Z"]) assert.equal(isWatched(COIN, at(time)), true);
});

test("an American stock is watched while its market is open, and a little longer for the closing price", () => {
  const cases = [
    ["2024-11-22T09:29:59-05:00", false],
    ["2024-11-22T09:30:00-05:00", true],
    ["2024-11-22T16:19:59-05:00", true],
    ["2024-11-22T16:20:00-05:00", false],
    ["2024-11-23T12:00:00-05:00", false],
    ["2024-11-28T12:00:00-05:00", false],
    ["2024-11-29T13:30:00-05:00", false],
  ] as const;
  for (const [time, isOpen] of cases) assert.equal(isWatched(US, at(time)), isOpen, time);
});

test("a Vietnamese stock is watched in the two sessions of a weekday", () => {
  const cases = [
    ["2024-11-22T08:59:00+07:00", false],
    ["2024-11-22T09:00:00+07:00", true],
    ["2024-11-22T12:30:00+07:00", false],
    ["2024-11-22T13:00:00+07:00", true],
    ["2024-11-22T15:19:00+07:00", true],
    ["2024-11-22T15:21:00+07:00", false],
    ["2024-11-24T10:00:00+07:00", false],
  ] as const;
  for (const [time, isOpen] of cases) assert.equal(isWatched(VN, at(time)), isOpen, time);
});
