/**
 * Facts: a tool's declared figures as what can be cited.
 *
 * `withFacts` gives a tool its facts and shows the model their lines instead of the output. Both are functions of the
 * output and the call alone, so they are computed from the log's record whenever they are needed. A figure that does not
 * agree with the output is dropped: it never breaks the tool.
 */
import type { Json, Prompt, Tool } from "@baton/core";
import { lookInto, omitUndefined } from "@baton/core/util";
import { toFactId } from "./fact-id.ts";
import { type DigestFrame, toDigest } from "./digest.ts";
import type { DataKind, Fact, Figure } from "./fact.ts";
import { toName } from "./fact-text.ts";

/** The facts of one call that can be cited; those after them are left out. */
const MAX_FACTS = 2_000;

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

/** A tool whose outputs hold facts. */
export interface FactTool extends Tool {
  /** The facts of a recorded output; none if it is not a success. */
  readonly factsOf: (output: Json, call: string) => readonly Fact[];
}

/** The tool with its facts, and their lines as what the model reads. */
export function withFacts<T>(tool: Tool, reader: FactReader<T>): FactTool {
  return Object.freeze<FactTool>({
    ...tool,
    digest: (output, { call }) => digestOf(tool.name, reader, { output, call }),
    factsOf: (output, call) => factsOrNone(reader, output, call),
  });
}

/** A reader that fails gives no facts; the digest reports its failure. */
function factsOrNone<T>(reader: FactReader<T>, output: Json, call: string): readonly Fact[] {
  try {
    return readFacts(reader, output, call) ?? [];
  } catch {
    return [];
  }
}

/** Reads the facts of a run's earlier calls from their recorded outputs, in the order of the calls. */
export type RunFacts = (recorded: Pick<Prompt, "calls" | "outputOf">) => Promise<readonly Fact[]>;

/** The facts of a run that uses these tools. */
export function factsFrom(tools: readonly Tool[]): RunFacts {
  const readers = new Map(tools.flatMap((tool) => (isFactTool(tool) ? [[tool.name, tool.factsOf] as const] : [])));
  return async ({ calls, outputOf }) => {
    const found = calls.map(async ({ call, tool, ok }) => {
      const factsOf = ok ? readers.get(tool) : undefined;
      const output = factsOf && (await outputOf(call));
      return output === undefined ? [] : (factsOf?.(output, call) ?? []);
    });
    return (await Promise.all(found)).flat();
  };
}

const isFactTool = (tool: Tool): tool is FactTool => "factsOf" in tool && typeof tool.factsOf === "function";

/** The facts of an output; undefined if it is not a success. */
function readFacts<T>(reader: FactReader<T>, output: Json, call: string): readonly Fact[] | undefined {
  if (!isCompound(output) || isFlagged(output)) return undefined;
  const figured = reader.figuresOf(trusted(reader, output));
  if (figured === undefined) return undefined;
  const sound = figured.figures.filter((figure) => isSound(output, figure));
  return toFacts(call, sound.slice(0, MAX_FACTS), figured.origin);
}

/** Whether a figure says what its output says. */
const isSound = (output: Json, { value, path }: Figure): boolean =>
  Number.isFinite(value) && valueAt(output, path) === value;

/** Returns the value at a path such as `data.rows[3].price`; undefined if there is none. */
export function valueAt(output: Json, path: string): Json | undefined {
  let found: Json | undefined = output;
  for (const name of path.replaceAll("]", "").split(/[.[]/)) {
    if (typeof found !== "object" || found === null) return undefined;
    found = isList(found) ? found[Number(name)] : Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

type Ended = Readonly<{ output: Json; call: string }>;

function digestOf<T>(tool: string, reader: FactReader<T>, { output, call }: Ended): string {
  const facts = readFacts(reader, output, call);
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
  const isOpen = lookInto(output, "ambiguous") === true && lookInto(output, "data") === undefined;
  return lookInto(output, "no_data") === true || isOpen;
}

const MAX_MESSAGE_CHARS = 2_000;

function messageOf(output: Json): string {
  const message = lookInto(output, "message");
  const text = typeof message === "string" ? message : typeof output === "string" ? output : JSON.stringify(output);
  return text.slice(0, MAX_MESSAGE_CHARS);
}

function isCompound(output: Json): output is Extract<Json, object> {
  return typeof output === "object" && output !== null;
}

/** The output of a tool is what its own `run` gave, after a pass through JSON: the type is the tool's promise. */
function trusted<T>(reader: FactReader<T>, output: Json): T;
function trusted(_reader: unknown, output: Json): unknown {
  return output;
}
