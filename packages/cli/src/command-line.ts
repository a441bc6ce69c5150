/**
 * Invocation: the arguments a command was started with, as the table of commands understood them.
 */

/** Flags by name, and all other arguments in their order. */
export interface Invocation {
  readonly flags: ReadonlyMap<string, string | true>;
  readonly positionals: readonly string[];
}

/** A command: does its work and gives the exit code. */
export type Command = (invocation: Invocation) => Promise<number>;

/** The value of a flag, where it was given. */
export function valueOf({ flags }: Invocation, name: string): string | undefined {
  const value = flags.get(name);
  return value === true ? undefined : value;
}
