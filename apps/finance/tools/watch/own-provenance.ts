/**
 * Own provenance: what results say of values that the user has set, and the language they are shown in.
 */
import type { CallContext } from "@baton/core";
import { runState } from "../../crew/run-state.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import type { QuestionLanguage } from "../../intent/intent.ts";
import { detectLanguage } from "../../intent/language.ts";

/** Where values come from that the user has set. */
export const OWN = { kind: "live", source: "watch" } as const;

/** The provenance of what the user has set, as it is now. */
export const ownProvenance = ({ scope }: CallContext): Provenance => ({
  ...OWN,
  as_of: new Date(scope.clock.now()).toISOString(),
});

/** The language of the user: what the run has found out, else that of the last message. */
export function languageOf({ state, messages }: CallContext): QuestionLanguage {
  const said = messages.findLast(({ role }) => role === "user")?.content;
  return runState.get({ state }, "language") ?? (said === undefined ? "en" : detectLanguage(said));
}
