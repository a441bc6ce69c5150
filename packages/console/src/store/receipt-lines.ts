/**
 * Receipt lines: what became of the work that a cancel met: each piece by its name and the place that shows it, and when
 * it ended.
 *
 * The log has no event of the stop of a whole run. Times count from the first work that ended by it; if nothing tells
 * when that was, there are none.
 */
import type { Failure, Receipt } from "@baton/client";
import type { CallSpan, Story, TurnSpan } from "./story.ts";

/** The fate of a piece of work. */
export type WorkFate = keyof Receipt;

/** The end of a call or turn that did not fail: met by a cancel, or denied by a person or a rule. */
export type WorkEnding = WorkFate | "denied";

/** One line of a receipt. */
export interface ReceiptRow {
  readonly fate: WorkFate;
  readonly name: string;
  /** The position of the call, turn or group that it was; absent if the log has none of this name. */
  readonly position?: string;
  /** The time after the stop at which it ended. */
  readonly ms?: number;
}

/** A receipt for readers. */
export interface ReadReceipt {
  readonly lines: readonly ReceiptRow[];
  /** The time after the stop at which everything had ended. */
  readonly settledMs?: number;
}

const CANCELLED = "cancelled";
/** Work that may still run comes first. */
const FATES: readonly WorkFate[] = ["abandoned", "finished", "stopped"];

/** A receipt as lines; work that only waited for other work of the receipt has no line of its own. */
export function readReceipt(story: Story): ReadReceipt {
  const { ended } = story;
  const receipt = ended?.receipt;
  if (receipt === undefined) return { lines: [] };
  const all = new Set(FATES.flatMap((fate) => receipt[fate]));
  const works = FATES.flatMap((fate) =>
    receipt[fate].filter((scope) => !isCovered(scope, all)).map((scope) => ({ fate, work: workOf(scope, story) })),
  );
  const began = stoppedAt(works);
  const since = (at: number | undefined) => (at === undefined || began === undefined ? {} : { ms: at - began });
  const lines = works.map(({ fate, work: { name, span, position } }) => ({
    fate,
    name,
    ...(position === undefined ? {} : { position }),
    ...since(span?.to?.at),
  }));
  return { lines, ...(ended === undefined || began === undefined ? {} : { settledMs: ended.at - began }) };
}

/** The fate of every call and turn that a receipt names, by position. */
export function toFates(receipt: Receipt | undefined, story: Story): ReadonlyMap<string, WorkFate> {
  if (receipt === undefined) return new Map();
  return new Map(
    FATES.flatMap((fate) =>
      receipt[fate].flatMap((scope): readonly [string, WorkFate][] => {
        const { position } = workOf(scope, story);
        return position === undefined ? [] : [[position, fate]];
      }),
    ),
  );
}

interface Ended {
  readonly ended?: { readonly error?: Failure };
}

/** Returns the fate of a call or turn that a cancel met or that was denied; undefined for others. */
export function fateOf({ fates }: Pick<Story, "fates">, position: string, { ended }: Ended): WorkEnding | undefined {
  if (isDenied(ended?.error)) return "denied";
  return fates.get(position) ?? (isCancelFailure(ended?.error) ? "stopped" : undefined);
}

function isDenied(error: Failure | undefined): boolean {
  return error?.kind === "permission";
}

/** True if work failed; work that was stopped or denied did not. */
export function isFailed(error: Failure | undefined): boolean {
  return error !== undefined && !isCancelFailure(error) && !isDenied(error);
}

/** True if work ended by a cancel, which is not a failure. */
export function isCancelFailure(error: Failure | undefined): boolean {
  return error?.code === CANCELLED || error?.kind === CANCELLED;
}

interface Work {
  readonly name: string;
  readonly span?: CallSpan | TurnSpan | undefined;
  readonly position?: string;
}

/** When a run was stopped, as far as its work tells: a model call that was interrupted, or the first of several calls. */
function stoppedAt(works: readonly Readonly<{ fate: WorkFate; work: Work }>[]): number | undefined {
  const met = works.filter(({ fate }) => fate !== "abandoned").map(({ work }) => work.span);
  const calls = met.flatMap((span) => (span !== undefined && "call" in span && span.to ? [span.to.at] : []));
  const steps = met.flatMap((span) => (span !== undefined && "steps" in span ? interruptedIn(span) : []));
  const ends = [...calls, ...steps];
  const isSure = steps.length > 0 || works.length > 1;
  return isSure && ends.length > 0 ? Math.min(...ends) : undefined;
}

function interruptedIn({ steps }: TurnSpan): readonly number[] {
  const last = steps.at(-1);
  return last?.to !== undefined && isCancelFailure(last.ended?.error) ? [last.to.at] : [];
}

function isCovered(scope: string, all: ReadonlySet<string>): boolean {
  const [kind, place] = split(scope);
  if (kind === "calls") return [...all].some((other) => other.startsWith(`call:${place}.`));
  if (kind === "run") return all.size > 1;
  return kind === "agent" && [...all].some((other) => other.startsWith("lane:") && other.endsWith(`/${place}`));
}

function workOf(scope: string, story: Story): Work {
  const [kind, place] = split(scope);
  if (kind === "call") {
    const span = story.turns
      .flatMap(({ steps }) => steps.flatMap(({ calls }) => calls))
      .find((one) => one.call === place);
    return { name: span?.tool ?? scope, position: place, span };
  }
  if (kind === "agent" || kind === "lane") {
    const name = place.slice(place.lastIndexOf("/") + 1);
    const span = story.turns.findLast(({ agent, lane }) => (kind === "lane" ? lane === place : agent === name));
    return span === undefined ? { name } : { name, position: span.turn, span };
  }
  return { name: place === "" ? scope : place };
}

function split(scope: string): readonly [kind: string, place: string] {
  const at = scope.indexOf(":");
  return at === -1 ? [scope, ""] : [scope.slice(0, at), scope.slice(at + 1)];
}
