/**
 * Receipt lines: what a cancel stopped, by fate, each piece of work with its name and the place that shows it.
 */
import type { Receipt } from "@baton/client";
import type { Story } from "../store/story.ts";

/** What became of one piece of work. */
export interface ReceiptLine {
  readonly fate: keyof Receipt;
  readonly name: string;
  /** The position of the call, turn or group that it was; absent if the log has none of this name. */
  readonly position?: string;
}

/** What may still be running comes first. */
const FATES: readonly (keyof Receipt)[] = ["abandoned", "finished", "stopped"];

/** A receipt as lines; work that only waited for other work of the receipt has no line of its own. */
export function toReceiptLines(receipt: Receipt, story: Story): readonly ReceiptLine[] {
  const all = new Set(FATES.flatMap((fate) => receipt[fate]));
  return FATES.flatMap((fate) =>
    receipt[fate].filter((scope) => !isCovered(scope, all)).map((scope) => ({ fate, ...placeOf(scope, story) })),
  );
}

function isCovered(scope: string, all: ReadonlySet<string>): boolean {
  const [kind, place] = split(scope);
  if (kind === "calls") return [...all].some((other) => other.startsWith(`call:${place}.`));
  if (kind === "run") return all.size > 1;
  return kind === "agent" && [...all].some((other) => other.startsWith("lane:") && other.endsWith(`/${place}`));
}

function placeOf(scope: string, story: Story): Omit<ReceiptLine, "fate"> {
  const [kind, place] = split(scope);
  if (kind === "call") {
    const calls = story.turns.flatMap(({ steps }) => steps.flatMap((step) => step.calls));
    const tool = calls.find(({ call }) => call === place)?.tool;
    return { name: tool ?? scope, position: place };
  }
  if (kind === "agent" || kind === "lane") {
    const name = place.slice(place.lastIndexOf("/") + 1);
    const turn = story.turns.findLast(({ agent, lane }) => (kind === "lane" ? lane === place : agent === name));
    return turn === undefined ? { name } : { name, position: turn.turn };
  }
  return { name: place === "" ? scope : place };
}

function split(scope: string): readonly [kind: string, place: string] {
  const at = scope.indexOf(":");
  return at === -1 ? [scope, ""] : [scope.slice(0, at), scope.slice(at + 1)];
}
