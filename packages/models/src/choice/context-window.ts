/**
 * Windows: how many tokens a model can be given, from one dated table.
 *
 * `windows.json` holds what providers publish: the limit of the input if they name one, else the whole context. For a
 * model it does not list there is no figure, rather than a guess.
 */
import { findFigure } from "./model-table.ts";
import table from "./context-windows.json" with { type: "json" };

const WINDOWS: ReadonlyMap<string, number> = new Map(Object.entries<number>(table.inputTokens));

/** The most tokens that a prompt of the model may have; undefined if unknown. */
export function contextTokensOf(model: string): number | undefined {
  return findFigure(WINDOWS, model);
}
