/**
 * The assistant's tools, on the market data that the environment allows and on what is kept for the user.
 *
 * Tools that change what is kept ask a person, unless the user's own words ask for the change.
 */
import { defineMemoryTools, definePlanTools, type Wish, withWish } from "@baton/assistant";
import type { Tool } from "@baton/core";
import { withLock } from "../tools/identity-lock.ts";
import { withRecord } from "../tools/recorded-call.ts";
import { closeCrewMarket, marketTools, openCrewMarket } from "./market.ts";

const openDirectory = async () => (await openCrewMarket()).directory;

/** Tools that change something, and which of their arguments must be the user's words. */
const WISHES: ReadonlyMap<string, Wish> = new Map([
  ["saveToMemory", { kind: "memory", from: ["content"] }],
  ["setHolding", { kind: "portfolio", from: ["quantity", "cost"] }],
  ["importHoldings", { kind: "portfolio", from: ["csv"] }],
  ["setWatchlist", { kind: "watch" }],
  ["setAlert", { kind: "watch", from: ["value"] }],
  ["removeAlert", { kind: "watch" }],
  ["setSchedule", { kind: "watch", from: ["ask"] }],
]);

/** What a user holds is kept nowhere else in the run, and may be other holdings a moment later. */
const SNAPSHOTS: ReadonlySet<string> = new Set(["getPortfolio", "analyzePortfolio"]);

/** Tools that programs and the store's clock call; they leave nothing for answers to cite. */
const UNRECORDED = /^(?:load|saveWorking|checkAlert)/;

const isRecorded = ({ name }: Tool): boolean => !UNRECORDED.test(name);
const others = [...defineMemoryTools(), ...marketTools].filter((tool) => !isRecorded(tool));

export default [...marketTools.filter(isRecorded).map(guard), ...definePlanTools(), ...others];

function guard(tool: Tool): Tool {
  const wish = WISHES.get(tool.name);
  if (SNAPSHOTS.has(tool.name)) return withLock(withRecord(tool, "record and output"), openDirectory);
  if (wish === undefined) return withLock(withRecord(tool), openDirectory);
  return withWish(withLock(withRecord(tool), openDirectory, "question"), wish);
}

/** Closes what the tools have open. */
export const onShutdown = closeCrewMarket;
