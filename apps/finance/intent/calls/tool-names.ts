/**
 * Tool names: whether a tool may be chosen: it is there, and the request allows it.
 */
import { optionsOf, type Situation } from "../situation.ts";

/** Whether there is a tool of this name. */
export function hasTool(situation: Situation, name: string): boolean {
  if (name === "webSearch" && optionsOf(situation).enable_web_search !== true) return false;
  return situation.tools?.has(name) ?? true;
}
