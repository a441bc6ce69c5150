/**
 * Guarded tools: the assistant's tools with what stands between them and the text that models read: the lock on
 * symbols, the scope of the question, the user's own wish for every change, and the record of each call.
 */
import { defineCompactionTools, defineMemoryTools, definePlanTools, type Wish, withWish } from "@baton/assistant";
import type { Tool } from "@baton/core";
import type { Directory } from "../market/port/listing.ts";
import { toOwnWords } from "../intent/wishes/own-words.ts";
import { withLock } from "../tools/frame/identity-lock.ts";
import { withScope } from "../tools/frame/question-scope.ts";
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
export function guardTools(marketTools: readonly Tool[], openDirectory: () => Promise<Directory>): readonly Tool[] {
  const others = [...defineMemoryTools(), ...defineCompactionTools(), ...marketTools].filter(
    (tool) => !isRecorded(tool),
  );
  const guarded = marketTools.filter(isRecorded).map((tool) => guard(tool, openDirectory));
  return [...guarded, ...definePlanTools(), ...others];
}

function guard(tool: Tool, openDirectory: () => Promise<Directory>): Tool {
  const wish = WISHES.get(tool.name);
  if (wish === undefined) return withScope(withLock(withRecord(tool), openDirectory));
  return withWish(withLock(withRecord(tool), openDirectory, "question"), { ...wish, ownOf: toOwnWords });
}
