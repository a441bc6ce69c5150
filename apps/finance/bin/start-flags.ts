/**
 * Start flags: what `npm start` was asked for, as the assistant's variables and what is left for `baton serve`.
 */

/** Options of the assistant: the variable of each, and whether it takes a value. */
const FLAGS: ReadonlyMap<string, Readonly<{ variable: string; value: "on" | "given" }>> = new Map([
  ["--live", { variable: "BATON_FINANCE_LIVE", value: "on" }],
  ["--sources", { variable: "BATON_FINANCE_SOURCES", value: "given" }],
  ["--data-pack", { variable: "BATON_FINANCE_DATA_PACK", value: "given" }],
]);

/** The arguments for `baton` and the environment variables that the assistant's own flags set. */
export type Start = Readonly<{ args: readonly string[]; env: Readonly<Record<string, string>> }>;

/** Reads the arguments; throws if one of the assistant's has no value. */
export function toStart(given: readonly string[]): Start {
  const args: string[] = [];
  const env: Record<string, string> = {};
  const open = [...given];
  for (let arg = open.shift(); arg !== undefined; arg = open.shift()) {
    const [name = "", ...rest] = arg.split("=");
    const flag = FLAGS.get(name);
    if (flag === undefined) {
      args.push(arg);
    } else if (flag.value === "on") {
      env[flag.variable] = "on";
    } else {
      const value = rest.length > 0 ? rest.join("=") : open.shift();
      if (value === undefined || value === "" || value.startsWith("-")) throw new Error(`${name} needs a value`);
      env[flag.variable] = value;
    }
  }
  return { args, env };
}

/** The folder in which `baton serve` keeps runs, by its options and variables. */
export function toDataFolder(args: readonly string[], env: Readonly<Record<string, string | undefined>>): string {
  const at = args.findLastIndex((arg) => arg === "--data" || arg.startsWith("--data="));
  const arg = args[at];
  const given = arg === "--data" ? args[at + 1] : arg?.slice("--data=".length);
  return [given, env["BATON_DATA"], ".baton"].find((folder) => folder !== undefined && folder !== "") ?? ".baton";
}
