/**
 * Start flags: what `npm start` was asked for, as the assistant's variables and what is left for `baton serve`.
 */

/** An option of the assistant: the variable it sets, to a fixed value or to the one that is given. */
type Flag = Readonly<{ variable: string; value?: string }>;

const DATA = "BATON_FINANCE_DATA";
const CONTACT = "SEC_CONTACT";

const FLAGS: ReadonlyMap<string, Flag> = new Map<string, Flag>([
  ["--offline", { variable: DATA, value: "offline" }],
  ["--live", { variable: DATA, value: "live" }],
  ["--without", { variable: "BATON_FINANCE_WITHOUT" }],
  ["--data-pack", { variable: "BATON_FINANCE_DATA_PACK" }],
  ["--sec-contact", { variable: CONTACT }],
]);

const SOURCES_GONE =
  "--sources is gone: all sources are on; turn single ones off with --without, such as --without yahoo";

/** The arguments for `baton` and the environment variables that the assistant's own flags set. */
export interface Start {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The address to keep for the SEC. */
  readonly secContact?: string;
}

/** Reads the arguments; throws if one of the assistant's has no value or contradicts another. */
export function toStart(given: readonly string[]): Start {
  const args: string[] = [];
  const env: Record<string, string> = {};
  const open = [...given];
  for (let arg = open.shift(); arg !== undefined; arg = open.shift()) {
    const [name = "", ...rest] = arg.split("=");
    const flag = FLAGS.get(name);
    if (name === "--sources") throw new Error(SOURCES_GONE);
    if (flag === undefined) {
      args.push(arg);
      continue;
    }
    const value = flag.value ?? (rest.length > 0 ? rest.join("=") : open.shift());
    if (value === undefined || value === "" || value.startsWith("-")) throw new Error(`${name} needs a value`);
    if (flag.value !== undefined && rest.length > 0) throw new Error(`${name} takes no value`);
    const before = env[flag.variable];
    if (before !== undefined && before !== value) throw new Error(`${name} contradicts another option (${before})`);
    env[flag.variable] = value;
  }
  const { [CONTACT]: secContact, ...rest } = env;
  return secContact === undefined ? { args, env } : { args, env: rest, secContact };
}

/** The folder in which `baton serve` keeps runs, by its options and variables. */
export function toDataFolder(args: readonly string[], env: Readonly<Record<string, string | undefined>>): string {
  const at = args.findLastIndex((arg) => arg === "--data" || arg.startsWith("--data="));
  const arg = args[at];
  const given = arg === "--data" ? args[at + 1] : arg?.slice("--data=".length);
  return [given, env["BATON_DATA"], ".baton"].find((folder) => folder !== undefined && folder !== "") ?? ".baton";
}
