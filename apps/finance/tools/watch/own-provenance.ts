/**
 * Own provenance: what results say of values that the user has set, and the language they are shown in.
 */
import type { CallContext } from "@baton/core";
import type { Provenance } from "../../market/port/provenance.ts";

/** Where values come from that the user has set. */
export const OWN = { kind: "live", source: "watch" } as const;

/** The provenance of what the user has set, as it is now. */
export const ownProvenance = ({ scope }: CallContext): Provenance => ({
  ...OWN,
  as_of: new Date(scope.clock.now()).toISOString(),
});

/** The languages in which an alert speaks; it is written when no model is at hand. */
export type WatchLanguage = "en" | "vi";

/** The language of the answer, as the run's state has it: Vietnamese, or else English. */
export function languageOf({ state }: CallContext): WatchLanguage {
  const language = state.get("language");
  return typeof language === "string" && language.toLowerCase().startsWith("vi") ? "vi" : "en";
}
