/**
 * Run summary: the outcome of a run, its duration and its usage.
 *
 * The duration does not include the time that a run waits for a person or for recovery. The cost is shown only if the
 * price of every model is known.
 */
import type { ErrorCode, Outcome, Receipt, RunEvent } from "@baton/core";
import { openFold, toProgramName } from "@baton/core/engine";
import type { EventBodyOf, Usage } from "@baton/core/ports";
import { toReceiptLines } from "@baton/server/receipt-text";
import type { AgentViews } from "./agent-view.ts";
import { styleLine, type Line, type Tone } from "../terminal/styled-line.ts";
import { countNoun, formatDuration, formatNumber, formatUsd } from "./number-text.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine, toPrintable } from "../terminal/printable.ts";

/** Models that cost nothing. */
const FREE: readonly (string | undefined)[] = ["script", "offline"];

const MARKS: Readonly<Record<Outcome, readonly [sign: string, tone: Tone]>> = {
  done: ["✓", "good"],
  paused: ["⏸", "warn"],
  limit: ["▲", "warn"],
  cancelled: ["■", "warn"],
  failed: ["✗", "bad"],
};

/** Keeps a part on one line. */
const NO_BREAK = "\u00a0";

/** The words for the end of a piece of cancelled work. */
const FATES: Readonly<Record<keyof Receipt, string>> = {
  abandoned: "; its result is ignored",
  finished: " in time",
  stopped: "",
};

/** Sums up one run. */
export class RunSummary {
  readonly #agentViews: AgentViews;
  readonly #models = new Map<string, string>();
  /** The names in a receipt: agents by id, tools by the position of their calls. */
  readonly #agents = new Map<string, string>();
  readonly #tools = new Map<string, string>();
  readonly #fold = openFold();
  #workedMs = 0;
  #since = 0;
  #isWaiting = false;
  #turns = 0;
  /** Whether a model's price is unknown. */
  #hasUnknownPrice = false;

  constructor(agentViews: AgentViews) {
    this.#agentViews = agentViews;
  }

  add(event: RunEvent): void {
    const isBeginning = event.type === "run.started" || event.type === "run.resumed";
    if (!isBeginning && !this.#isWaiting) this.#workedMs += event.at - this.#since;
    this.#since = event.at;
    this.#fold.add([event]);
    switch (event.type) {
      case "run.started":
      case "run.resumed":
        this.#isWaiting = false;
        return;
      case "run.paused":
        this.#isWaiting = true;
        return;
      case "turn.started":
        this.#turns += 1;
        this.#agents.set(event.agent, this.#agentViews(event.agent).name);
        return;
      case "step.started":
        this.#models.set(event.step, event.model);
        return;
      case "step.ended":
        this.#addStep(event);
        return;
      case "call.started":
        this.#tools.set(event.call, event.tool);
        return;
      default:
    }
  }

  /** The last lines of a run. */
  toLines({ outcome, error, receipt }: EventBodyOf<"run.ended">, width: number): readonly Line[] {
    const [sign, tone] = MARKS[outcome];
    const head = `${outcome} in ${formatDuration(this.#workedMs)}`;
    const parts = [head, ...this.#toParts()].map((part) => part.replaceAll(" ", NO_BREAK));
    const lines = wrap(parts.join(" · "), width - 2).map((line) => line.replaceAll(NO_BREAK, " ").replace(/ ·$/, ""));
    const shown = lines.map((line, index) =>
      index === 0
        ? styleLine([`${sign} ${line.slice(0, head.length)}`, tone], [line.slice(head.length), "dim"])
        : styleLine([`  ${line}`, "dim"]),
    );
    const why = error === undefined || outcome === "cancelled" ? [] : wrap(toPrintable(error.message), width - 2);
    const next = toNext(outcome, error?.code);
    return [
      ...shown,
      ...why.map((line) => styleLine([`  ${line}`, outcome === "failed" ? "bad" : "warn"])),
      ...(next === undefined ? [] : wrap(next, width - 2).map((line) => styleLine([`  ${line}`, "dim"]))),
      ...(receipt === undefined ? [] : this.#toReceipt(receipt, width)),
    ];
  }

  /** The receipt: one line for each piece of cancelled work. */
  #toReceipt(receipt: Receipt, width: number): readonly Line[] {
    return toReceiptLines(receipt, { tools: this.#tools, agents: this.#agents })
      .flatMap(({ fate, text }) => wrap(toOneLine(`${text}${FATES[fate]}`), width - 2))
      .map((line) => styleLine([`  ${line}`, "dim"]));
  }

  #addStep({ step, costUsd }: EventBodyOf<"step.ended">): void {
    const model = this.#models.get(step) ?? "";
    const isFree = FREE.includes(model) || toProgramName(model) !== undefined;
    this.#models.delete(step);
    this.#hasUnknownPrice ||= costUsd === undefined && !isFree;
  }

  #toParts(): readonly string[] {
    const { steps, calls, usage, costUsd } = this.#fold.view;
    return [
      countNoun(this.#turns, "turn"),
      countNoun(steps, "model call"),
      ...(calls === 0 ? [] : [countNoun(calls, "tool call")]),
      `${countNoun(usage.inputTokens, "token")} in${toCacheText(usage)}, ${formatNumber(usage.outputTokens)} out`,
      ...(this.#hasUnknownPrice || costUsd === 0 ? [] : [formatUsd(costUsd)]),
    ];
  }
}

/** The part of the input that came from the provider's cache or was written into it; empty if there is none. */
function toCacheText({ cachedTokens = 0, cacheWriteTokens = 0 }: Usage): string {
  const parts = [
    ...(cachedTokens === 0 ? [] : [`${formatNumber(cachedTokens)} cached`]),
    ...(cacheWriteTokens === 0 ? [] : [`${formatNumber(cacheWriteTokens)} written to the cache`]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** The next steps of the user. */
function toNext(outcome: Outcome, code: ErrorCode | undefined): string | undefined {
  if (outcome === "limit") return "To allow more, raise the limit under `settings` in crew.yaml.";
  if (outcome !== "failed") return undefined;
  if (code === "internal" || code === "diverged") return "This is a bug in Baton; please report it.";
  if (code === "bad_output") return undefined;
  if (code === "group") return "The errors of the group's members are shown above.";
  return "Try again, or choose another model with --model NAME; --script FILE works without a model.";
}
