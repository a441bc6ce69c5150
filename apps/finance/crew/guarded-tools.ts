/**
 * Guarded tools: the assistant's tools with what stands between them and the text that models read: the user's own wish for every change, and the record of each call.
 */
import { defineCompactionTools, defineMemoryTools, definePlanTools, type Wish, withWish } from "@baton/assistant";
import type { Tool } from "@baton/core";
import { toOwnWords } from "../intent/wishes/own-words.ts";
import { withRecord } from "../tools/frame/recorded-call.ts";

/** Tools that change something, and which of their arguments must be the user's words. */
const WISHES: ReadonlyMap<string, Wish> = new Map([
  ["saveToMemory", { kind: "memory", from: ["content"] }],
  ["setHolding", { kind: "portfolio", from: ["quantity", "cost"] }],
  ["importHoldings", { kind: "portfolio", verbatim: ["csv"] }],
  ["setWatchlist", { kind: "watch" }],
  ["setAlert", { kind: "watch", from: ["value"] }],
  ["removeAlert", { kind: "watch" }],
  ["setSchedule", { kind: "watch", from: ["ask"] }],
]);

/** Tools that programs and the store's clock call; they leave nothing for answers to cite. */
const UNRECORDED = /^(?:load|saveWorking|saveCompaction|checkAlert)/;

const isRecorded = ({ name }: Tool): boolean => !UNRECORDED.test(name);

/** All tools of the assistant, on those of a market. */
export function guardTools(marketTools: readonly Tool[]): readonly Tool[] {
  const others = [...defineMemoryTools(), ...defineCompactionTools(), ...marketTools].filter(
    (tool) => !isRecorded(tool),
  );
  const guarded = marketTools.filter(isRecorded).map(guard);
  return [...guarded, ...definePlanTools(), ...others];
}

function guard(tool: Tool): Tool {
  const wish = WISHES.get(tool.name);
  return wish === undefined ? withRecord(tool) : withWish(withRecord(tool), { ...wish, ownOf: toOwnWords });
}
