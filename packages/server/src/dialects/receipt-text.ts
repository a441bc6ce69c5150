/**
 * Receipt text: what a cancel stopped, in words a person can read.
 *
 * A receipt names scopes (`call:2.1.1`). Here each becomes the name of its tool or agent, beside its position:
 * `IssueRefund (2.1.1) did not stop`.
 */
import type { Receipt } from "@baton/core";

/** The names of tools and agents by positions and ids. */
export interface ReceiptNames {
  /** Tools by the position of their calls, as `call.started` says them. */
  readonly tools: ReadonlyMap<string, string>;
  /** Names of agents by id; the id itself is shown for an agent that is not here. */
  readonly agents?: ReadonlyMap<string, string>;
}

/** One piece of work: `name` is `IssueRefund (2.1.1)`, `text` the whole sentence. */
export type ReceiptLine = Readonly<{ fate: keyof Receipt; name: string; text: string }>;

/** In the order a reader needs them: what may still be running comes first. */
const FATES: readonly (readonly [fate: keyof Receipt, words: string])[] = [
  ["abandoned", "did not stop"],
  ["finished", "finished"],
  ["stopped", "stopped"],
];

/** A receipt line by line. Work that only waited for other work in the receipt has no line of its own. */
export function toReceiptLines(receipt: Receipt, names: ReceiptNames): readonly ReceiptLine[] {
  const all = new Set(FATES.flatMap(([fate]) => receipt[fate]));
  return FATES.flatMap(([fate, words]) =>
    receipt[fate]
      .filter((scope) => !isCovered(scope, all))
      .map((scope) => {
        const name = toName(scope, names);
        return { fate, name, text: `${name} ${words}` };
      }),
  );
}

/** A reply's calls together are covered by each of them, and a group member's turn by its lane. */
function isCovered(scope: string, all: ReadonlySet<string>): boolean {
  const [kind, place] = split(scope);
  if (kind === "calls") return [...all].some((other) => other.startsWith(`call:${place}.`));
  return kind === "agent" && [...all].some((other) => other.startsWith("lane:") && other.endsWith(`/${place}`));
}

function toName(scope: string, { tools, agents }: ReceiptNames): string {
  const [kind, place] = split(scope);
  const nameOf = (agent: string) => agents?.get(agent) ?? agent;
  switch (kind) {
    case "call":
      return `${tools.get(place) ?? "a tool"} (${place})`;
    case "calls":
      return `the tool calls of ${place}`;
    case "lane":
      return `${nameOf(place.slice(place.lastIndexOf("/") + 1))} (${place})`;
    case "agent":
      return nameOf(place);
    default:
      return scope;
  }
}

function split(scope: string): readonly [kind: string, place: string] {
  const colon = scope.indexOf(":");
  return [scope.slice(0, Math.max(0, colon)), scope.slice(colon + 1)];
}
