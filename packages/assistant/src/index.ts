/**
 * @baton/assistant: what any assistant needs, whatever it is about.
 */
export type { DataKind, Fact, Figure, Period, Unit } from "./fact.ts";
