/**
 * Chosen call: one call of a tool that the rules chose.
 */
import type { Json } from "@baton/core";

/** One call of a tool. */
export interface ChosenCall {
  readonly tool: string;
  readonly args: { readonly [name: string]: Json };
}

/** A call with only those arguments that have a value. */
export function call(tool: string, args: { readonly [name: string]: Json | undefined } = {}): ChosenCall {
  const given = Object.entries(args).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return { tool, args: Object.fromEntries(given) };
}

/** A value, or nothing if it is what the tool takes anyway. */
export function unless<T>(standard: T, value: T | undefined): T | undefined {
  return value === standard ? undefined : value;
}
