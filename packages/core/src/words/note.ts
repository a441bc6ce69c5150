/**
 * Note: a fact that a tool, a program or a model's wrapper adds to the log.
 *
 * The engine keeps it without reading it; views and dialects that know its kind show it.
 */
import type { EventBodyOf } from "./event.ts";
import type { Json } from "./json.ts";
import { boundOutput } from "./output.ts";
import { toFigure } from "./text.ts";

const MAX_CHARS = 256 * 1_024;
const KIND = /^[\w.:/-]{1,128}$/;

/** The note of a step or call; throws what is wrong with it. */
export function toNote(
  note: Readonly<{ kind: string; data: Json }>,
  of: string,
  agent: string,
): EventBodyOf<"note.made"> {
  const { kind } = note;
  if (typeof kind !== "string" || !KIND.test(kind))
    throw new TypeError(`"${kind}" is not a valid kind of note: use 1 to 128 letters, digits, and . : / _ -`);
  const bounded = boundOutput(note.data);
  if (!bounded.ok) throw new TypeError(`note ${kind}: ${bounded.why}`);
  const size = new TextEncoder().encode(JSON.stringify(bounded.output)).length;
  if (bounded.wholeChars !== undefined || size > MAX_CHARS) {
    const kilobytes = toFigure(Math.ceil((bounded.wholeChars ?? size) / 1_024));
    throw new TypeError(`note ${kind} has ${kilobytes} KB; at most 256 KB are kept`);
  }
  return { type: "note.made", kind, of, agent, data: bounded.output };
}
