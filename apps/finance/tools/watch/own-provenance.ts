/**
 * Own provenance: what results say of values that the user has set, and the language they are shown in.
 */
import type { CallContext } from "@baton/core";
import { z } from "zod";
import type { Provenance } from "../../market/port/provenance.ts";
import type { Language } from "../../intent/intent.ts";
import { detectLanguage } from "../../intent/language.ts";

/** Where values come from that the user has set. */
export const OWN = { kind: "live", source: "watch" } as const;

/** The provenance of what the user has set, as it is now. */
export const ownProvenance = ({ scope }: CallContext): Provenance => ({
  ...OWN,
  as_of: new Date(scope.clock.now()).toISOString(),
});

const INTENT = z.object({ response_language: z.enum(["en", "vi"]) });

/** The language of the user: what the run has found out, else that of the last message. */
export function languageOf({ state, messages }: CallContext): Language {
  const { data } = INTENT.safeParse(state.get("intent"));
  const said = messages.findLast(({ role }) => role === "user")?.content;
  return data?.response_language ?? (said === undefined ? "en" : detectLanguage(said));
}
