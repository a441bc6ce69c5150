/**
 * The directory of the pack, and the day that its data is of.
 */
import { openPackDirectory } from "../../market/directory/pack-directory.ts";
import { openPack } from "../../market/pack/pack.ts";
import type { Situation } from "../situation.ts";

/** A situation without a conversation. */
export const SITUATION: Situation = { directory: openPackDirectory(openPack()), today: "2024-11-22" };

/** A situation in which the user and the assistant said these by turns. */
export function after(...said: readonly string[]): Situation {
  return {
    ...SITUATION,
    history: said.map((content, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content })),
  };
}
