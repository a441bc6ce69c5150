/**
 * Posted command: a command that waits in the inbox of its run, and the fact in the run's log that settles it.
 *
 * A command is removed from the inbox in the transaction of that fact, so each is in the log exactly once.
 */
import { BatonError, type Command, type Failure, type Receipt } from "@baton/core";
import { toLateWarning } from "@baton/core/engine";
import type { EventBody } from "@baton/core/ports";
import type { InboxCommand } from "@baton/store/ports";

/** A command that this process has read from the inbox, or put there. */
export interface PostedCommand extends Pick<InboxCommand, "run" | "id"> {
  readonly command: Command;
}

/** Whether a command ends the run, and not only a lane or a call of it. */
export function isWholeCancel(command: Command): command is Extract<Command, { type: "cancel" }> {
  return command.type === "cancel" && command.lane === undefined && command.call === undefined;
}

/** The command of a row; throws `damaged` if it cannot be read. */
export function parsePosted({ run, id, command: text }: InboxCommand): PostedCommand {
  const command: unknown = JSON.parse(text);
  if (isCommand(command)) return { run, id, command };
  throw new BatonError("damaged", `a command for run ${run} cannot be read`);
}

/** Only commands are posted. */
function isCommand(value: unknown): value is Command {
  return typeof value === "object" && value !== null && "type" in value;
}

/** Whether a fact in the log says what became of a command. */
export function isSettledBy(command: Command, fact: EventBody): boolean {
  if (fact.type === "run.ended") return isWholeCancel(command) && fact.outcome === "cancelled";
  if (fact.type === "command.received") return JSON.stringify(fact.command) === JSON.stringify(command);
  switch (command.type) {
    case "answer":
      return fact.type === "question.answered" && fact.question === command.question;
    case "resume":
      return fact.type === "run.resumed";
    // A message to a run that waits is what it waits for.
    case "say":
      if (isLate(command, fact)) return true;
      if (fact.type === "question.answered") return fact.value === command.text;
      return fact.type === "run.resumed" && fact.input === command.text;
    case "pause":
      return isLate(command, fact);
    case "cancel":
    case "configure":
      return false;
  }
}

/** Whether a run that ended says that it has not heard a command which it had accepted. */
function isLate(command: Command, fact: EventBody): boolean {
  return fact.type === "warning.raised" && fact.text === toLateWarning(fact.agent, command).text;
}

/** Whether the log alone does not say what a command came to: its sender reads that in the inbox. */
export function hasReply(command: Command): boolean {
  return command.type === "cancel" && !isWholeCancel(command);
}

/** The error that a refusal in the inbox stands for. */
export function toRefusalError({ code, message }: Failure): BatonError {
  return new BatonError(code, message);
}

/** Whether a fate is a receipt. */
export function isReceipt(fate: InboxCommand["fate"]): fate is Receipt {
  return typeof fate === "object" && "stopped" in fate;
}
