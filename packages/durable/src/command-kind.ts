/**
 * Command kind: what a command is about.
 */
import type { Command } from "@baton/core";

/** Whether a command ends the run, and not only a lane or a call of it. */
export function isWholeCancel(command: Command): command is Extract<Command, { type: "cancel" }> {
  return command.type === "cancel" && command.lane === undefined && command.call === undefined;
}
