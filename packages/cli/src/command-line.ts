/**
 * Command line: the arguments of a command, parsed by the table of commands.
 */

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
