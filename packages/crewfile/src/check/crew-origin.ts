/**
 * Crew origin: where in code a crew was defined.
 */
import type { Crew } from "@baton/core";
import { toCallPlace } from "../read/modules/code-place.ts";

/** The place of a call of `defineCrew`. */
export interface DefinitionPlace {
  /** Absolute. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/** The file, line and column of the call that defined the crew; nothing if that is not known. */
export function findOrigin(crew: Pick<Crew, "~origin">): DefinitionPlace | undefined {
  const { stack } = crew["~origin"] ?? {};
  return stack === undefined ? undefined : toCallPlace(stack);
}
