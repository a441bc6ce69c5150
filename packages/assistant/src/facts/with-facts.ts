/**
 * Facts: a tool's declared figures as what can be cited.
 *
 * `withFacts` sets the facts of a call as the run's state `facts/<call>` and shows the model their lines instead of the
 * output. Both are functions of the output and the call alone, so a replay gives the same. A figure that does not agree
 * with the output is dropped: it never breaks the tool.
 */
import type { CallContext, Json, Tool } from "@baton/core";
import type { Prepared } from "@baton/core/ports";
import { boundOutput, omitUndefined } from "@baton/core/util";
import { FACTS_PREFIX } from "../run-state.ts";
import { toFactId } from "./fact-id.ts";
import { type DigestFrame, toDigest } from "./digest.ts";
import type { DataKind, Fact, Figure } from "./fact.ts";
import { isSound } from "./check-figures.ts";
import { toName } from "./fact-text.ts";

/** The facts of one call that are kept; those after them are not citable. */
const MAX_FACTS = 2_000;
/** Below what the state takes as one value, at three bytes a character. */
const MAX_CHARS = 300_000;

/** The source of figures, unless they name another. */
export interface Origin {
  /** RFC 3339 with its offset. */
  readonly as_of: string;
  readonly kind: DataKind;
  readonly source: string;
}

/** A fact before it has a place in a run. */
export type Cited = Figure & Readonly<{ formula?: string }>;

/** The numbers of an output and their sources. */
export interface Figured {
  /** The most telling first. */
  readonly figures: readonly Cited[];
  readonly origin: Origin;
}

/** Reads the facts of a tool from its output, which is the value `run` gave after a pass through JSON. */
export interface FactReader<T> {
  /** Undefined if the output is not a success, such as `no_data`: then there are no facts. */
  readonly figuresOf: (output: T) => Figured | undefined;
  /** The words of the output, such as names and headlines, a line each; the model reads it as quoted data. */
  readonly describe?: (output: T) => readonly string[];
  /** Parts of the digest beside facts and words; by default the tool, the subject and the day. */
  readonly frame?: (output: T, facts: readonly Fact[]) => DigestFrame;
}

/** The facts of a call, numbered from 1 in the order of its figures. */
export function toFacts(call: string, figures: readonly Cited[], origin: Origin): readonly Fact[] {
  return figures.map(({ asOf, kind, source, ...figure }, index) => ({
    id: toFactId(call, index + 1),
    call,
    ...figure,
    as_of: asOf ?? origin.as_of,
    kind: kind ?? origin.kind,
    source: source ?? origin.source,
  }));
}

/** The tool with its facts in the run's state, and their lines as what the model reads. */
export function withFacts<T>(tool: Tool, reader: FactReader<T>): Tool {
  const bind = (prepared: Prepared): Prepared => {
    if (!prepared.ok) return prepared;
    return { ok: true, run: (context) => runWithFacts(prepared.run, reader, context) };
  };
  return Object.freeze<Tool>({
    ...tool,
    digest: (output, { call }) => digestOf(tool.name, reader, { output, call }),
    prepare(args) {
      const prepared = tool.prepare(args);
      return prepared instanceof Promise ? prepared.then(bind) : bind(prepared);
    },
  });
}

type Run = Extract<Prepared, { ok: true }>["run"];

async function runWithFacts<T>(run: Run, reader: FactReader<T>, context: CallContext): Promise<unknown> {
  const value = await run(context);
  const bounded = boundOutput(value);
  // What the log does not take whole is the engine's to refuse or to cut.
  if (!bounded.ok || bounded.wholeChars !== undefined) return value;
  const facts = factsOrNone(reader, bounded.output, context.call);
  if (facts.length > 0) context.state.set(`${FACTS_PREFIX}${context.call}`, facts.map(toJson));
  return bounded.output;
}

/** A reader that fails gives no facts; the digest reports its failure. */
function factsOrNone<T>(reader: FactReader<T>, output: Json, call: string): readonly Fact[] {
  try {
    return factsOf(reader, output, call) ?? [];
  } catch {
    return [];
  }
}

/** The facts of an output; undefined if it is not a success. */
function factsOf<T>(reader: FactReader<T>, output: Json, call: string): readonly Fact[] | undefined {
  if (!isCompound(output) || isFlagged(output)) return undefined;
  const figured = reader.figuresOf(trusted(reader, output));
  if (figured === undefined) return undefined;
  const sound = figured.figures.filter((figure) => isSound(output, figure));
  return bound(toFacts(call, sound, figured.origin));
}

type Ended = Readonly<{ output: Json; call: string }>;

function digestOf<T>(tool: string, reader: FactReader<T>, { output, call }: Ended): string {
  const facts = factsOf(reader, output, call);
  const quoted = isCompound(output) && !isFlagged(output) ? (reader.describe?.(trusted(reader, output)) ?? []) : [];
  if (isCompound(output) && reader.frame !== undefined) {
    return toDigest(facts ?? [], { quoted, ...reader.frame(trusted(reader, output), facts ?? []) });
  }
  if (facts !== undefined) return toDigest(facts, { ...toPlainFrame(tool, facts), quoted });
  return toDigest([], { head: messageOf(output), quoted });
}

function toPlainFrame(tool: string, facts: readonly Fact[]): DigestFrame {
  const subjects = [...new Set(facts.map(({ symbol }) => symbol))].filter((symbol) => symbol !== "");
  const day = facts[0]?.as_of.slice(0, 10);
  const said = [subjects.length === 1 ? `${tool} ${toName(subjects[0] ?? "")}` : tool, day, facts[0]?.source];
  return { head: said.filter((part) => part !== undefined).join(" · "), ...omitUndefined({ day }) };
}

/** Results that say that there is nothing, or too much to choose from. */
function isFlagged(output: Json): boolean {
  const isOpen = fieldOf(output, "ambiguous") === true && fieldOf(output, "data") === undefined;
  return fieldOf(output, "no_data") === true || isOpen;
}

const MAX_MESSAGE_CHARS = 2_000;

function messageOf(output: Json): string {
  const message = fieldOf(output, "message");
  const text = typeof message === "string" ? message : typeof output === "string" ? output : JSON.stringify(output);
  return text.slice(0, MAX_MESSAGE_CHARS);
}

function isCompound(output: Json): output is Extract<Json, object> {
  return typeof output === "object" && output !== null;
}

function fieldOf(output: Json, name: string): Json | undefined {
  if (!isCompound(output)) return undefined;
  return Object.hasOwn(output, name) ? Object.entries(output).find(([key]) => key === name)?.[1] : undefined;
}

function bound(facts: readonly Fact[]): readonly Fact[] {
  let chars = 0;
  const kept = facts.slice(0, MAX_FACTS).findIndex((fact) => (chars += JSON.stringify(fact).length + 1) > MAX_CHARS);
  return facts.slice(0, kept === -1 ? MAX_FACTS : kept);
}

function toJson({ period, currency, formula, ...fact }: Fact): Json {
  const span =
    period === undefined
      ? undefined
      : { ...omitUndefined({ start: period.start, label: period.label }), end: period.end };
  return { ...fact, ...omitUndefined({ period: span, currency, formula }) };
}

/** The output of a tool is what its own `run` gave, after a pass through JSON: the type is the tool's promise. */
function trusted<T>(reader: FactReader<T>, output: Json): T;
function trusted(_reader: unknown, output: Json): unknown {
  return output;
}
