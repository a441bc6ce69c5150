/**
 * Command line: the arguments of a command, parsed by the table of commands.
 */

/** Options by name, and the other arguments in order. */
export interface CommandLine {
  readonly flags: ReadonlyMap<string, string | true>;
  readonly positionals: readonly string[];
}

/** A command of `baton`; gives the exit code. */
export type CliCommand = (commandLine: CommandLine) => Promise<number>;

/** An option in the table of commands; one with a `value` takes one. */
export interface Flag {
  readonly value?: string;
  /** The value if the option has none; without it the value must be given. */
  readonly fallback?: string;
  readonly short?: string;
  readonly text: string;
  /** Whether it may be repeated. */
  readonly isList?: boolean;
}

/** Options by their names. */
export type Flags = Readonly<Record<string, Flag>>;

/** A command in the table of commands. */
export interface CommandEntry {
  readonly name: string;
  readonly usage: string;
  readonly text: string;
  readonly more?: string;
  readonly flags: Flags;
  /** Options that come from the schema of settings. */
  readonly settings?: () => Promise<Flags>;
  readonly maxPositionals?: number;
  readonly examples: readonly string[];
  readonly load: () => Promise<{ readonly command: CliCommand }>;
}

/** What is wrong with the arguments; with the name of the option if it is unknown. */
export interface ArgumentProblem {
  readonly message: string;
  readonly flag?: string;
}

/** The value of an option; undefined if it is missing. */
export function valueOf({ flags }: CommandLine, name: string): string | undefined {
  const value = flags.get(name);
  return value === true ? undefined : value;
}
