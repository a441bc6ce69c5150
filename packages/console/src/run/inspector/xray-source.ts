/**
 * X-ray source: where a piece of a prompt came from, in the reader's language.
 */
import type { Words } from "../../words/words.ts";
import { shortPosition } from "../selection.ts";
import type { XrayPiece } from "./xray.ts";

/** Sources as the server writes them: a name, or a word and what it is of: `turn 7`, `call 2.1.1`, `state:summary`. */
export function xraySourceText({ source, of }: Pick<XrayPiece, "source" | "of">, { runPage }: Words): string {
  const { xray, turnNumber, stepNumber } = runPage;
  const names: ReadonlyMap<string, string> = new Map(Object.entries(xray.sources));
  const space = source.indexOf(" ");
  const position = shortPosition(source.slice(space + 1));
  if (source.startsWith("turn ")) {
    return [turnNumber(position), ...(of === undefined ? [] : [stepNumber(shortPosition(of))])].join(" · ");
  }
  if (source.startsWith("call ")) return xray.call(position);
  if (source.startsWith("state:")) return xray.state(source.slice("state:".length));
  if (source.startsWith("tool:")) return source.slice("tool:".length);
  return [names.get(source) ?? source, ...(of === undefined ? [] : [sayPlace(of, runPage)])].join(" · ");
}

/** The sources of a system prompt, each once; `place` is where the agent's own words are written, if that is known. */
export function systemSourcesText(
  pieces: readonly Pick<XrayPiece, "source" | "of">[],
  words: Words,
  place?: string,
): string {
  const texts = pieces.map((piece) =>
    piece.source === "system_prompt" && place !== undefined ? place : xraySourceText(piece, words),
  );
  return [...new Set(texts)].join(" · ");
}

/** `event 12`, or the position of a step. */
function sayPlace(of: string, { xray, stepNumber }: Words["runPage"]): string {
  return of.startsWith("event ") ? xray.event(of.slice("event ".length)) : stepNumber(shortPosition(of));
}
