/**
 * Crew exposure: a crew as a tool of other programs.
 */
import type { Json } from "@baton/core";

/** A crew as a tool of other programs; what is left out follows from the crew. */
export interface CrewExposure {
  /** Its name as a tool. Default: its id. */
  readonly name?: string;
  /** JSON Schema of the arguments, which become the run's `options`. Default: `input` and `session_id`. */
  readonly input?: Readonly<Record<string, Json>>;
  /** Whether a call is a task: after 10 seconds (`auto`, the default), never, or at once. */
  readonly task?: "auto" | "never" | "prefer" | "required";
  /** False hides it. */
  readonly visible?: boolean;
}
