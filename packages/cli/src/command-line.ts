/**
 * Command line: the arguments of a command, parsed by the table of commands.
 */
import { BatonError } from "@baton/core";
import { nearest } from "@baton/core/util";
import { toOneLine } from "./terminal/printable.ts";

/** Options by name, and the other arguments in order. */
export interface CommandLine {
  readonly flags: ReadonlyMap<string, string | true>;
  readonly positionals: readonly string[];
  /** The arguments after `--`, which are also the last of `positionals`. */
  readonly trailing?: readonly string[];
}

/** A command of `baton`; gives the exit code. */
export type CliCommand = (commandLine: CommandLine) => Promise<number>;

/** The value of an option; undefined if it is missing. */
export function valueOf({ flags }: CommandLine, name: string): string | undefined {
  const value = flags.get(name);
  return value === true ? undefined : value;
}

/** The action of a command by its name; throws if there is none. */
export function requireAction<Action>(command: string, actions: ReadonlyMap<string, Action>, name: string): Action {
  const action = actions.get(name);
  if (action !== undefined) return action;
  const names = [...actions.keys()];
  const near = nearest(name, names);
  const hint = near === undefined ? `write one of ${names.join(", ")}` : `did you mean ${near}?`;
  throw new BatonError("invalid", `\`baton ${command}\` has no action "${toOneLine(name)}"; ${hint}`);
}

/** Prints a value as JSON for programs. */
export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Prints a line for people, beside the output of the command. */
export function say(text: string): void {
  process.stderr.write(`${toOneLine(text)}\n`);
}
