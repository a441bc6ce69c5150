/**
 * Own provenance: what results say of values that the user has set, and the language they are shown in.
 */
import type { CallContext } from "@baton/core";
import { runState } from "../../crew/run-state.ts";
import type { Provenance } from "../../market/port/provenance.ts";

/** Where values come from that the user has set. */
export const OWN = { kind: "live", source: "watch" } as const;

/** The provenance of what the user has set, as it is now. */
export const ownProvenance = ({ scope }: CallContext): Provenance => ({
  ...OWN,
  as_of: new Date(scope.clock.now()).toISOString(),
});

/** The languages in which the watch speaks by itself. */
export type WatchLanguage = "en" | "vi";

/** The language in which the user is told: Vietnamese if the run answers in it, else English. */
export function languageOf({ state }: CallContext): WatchLanguage {
  return runState.get({ state }, "language")?.startsWith("vi") === true ? "vi" : "en";
}
