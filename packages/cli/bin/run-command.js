/**
 * Run command: finds the command, loads only its module, and gives its exit code.
 *
 * Help needs only the table of commands, so it is fast.
 */
import { parseArguments } from "./arguments.js";
import { COMMANDS } from "./commands.js";
import { toCommandHelp, toHelp } from "./help.js";

/** @import { ArgumentProblem } from "./arguments.js" */
/** @import { CommandEntry } from "./commands.js" */

/**
 * Runs the command and gives its exit code.
 *
 * @param {readonly string[]} args
 */
export async function runCommand([name, ...rest]) {
  if (name === undefined || name === "help" || name === "--help" || name === "-h") return help(rest[0]);
  if (name === "--version" || name === "-v") return version();
  const command = await findCommand(name);
  if (command === undefined) return refuse(...(await toUnknownCommand(name)));
  const parsed = parseArguments(command, rest);
  if (parsed.flags.has("help")) return print(toCommandHelp(command));
  if (parsed.problem !== undefined) return refuse(...(await toUnusable(command, parsed.problem)));
  const { start } = await import("../src/start.ts");
  return start(command.load, parsed);
}

/** @param {string | undefined} name */
async function help(name) {
  if (name === undefined) return print(toHelp(COMMANDS));
  const command = await findCommand(name);
  return command === undefined ? refuse(...(await toUnknownCommand(name))) : print(toCommandHelp(command));
}

/**
 * The command with its options; those that are settings come from the schema of settings.
 *
 * @param {string} name
 * @returns {Promise<CommandEntry | undefined>}
 */
async function findCommand(name) {
  const command = COMMANDS.find((one) => one.name === name);
  if (command?.settings === undefined) return command;
  return { ...command, flags: { ...(await command.settings()), ...command.flags } };
}

async function version() {
  const { default: manifest } = await import("../package.json", { with: { type: "json" } });
  return print(`baton ${manifest.version}\n`);
}

/**
 * @param {string} name
 * @returns {Promise<[problem: string, next: string]>}
 */
async function toUnknownCommand(name) {
  const { nearest } = await import("@baton/core/util");
  const near = nearest(
    name,
    COMMANDS.map((command) => command.name),
  );
  const next = near === undefined ? "`baton --help` lists the commands." : `Did you mean \`baton ${near}\`?`;
  return [`there is no command \`${name}\`.`, next];
}

/**
 * @param {CommandEntry} command
 * @param {ArgumentProblem} problem
 * @returns {Promise<[problem: string, next: string]>}
 */
async function toUnusable({ name, flags }, { message, flag }) {
  const more = `\`baton ${name} --help\` lists its arguments.`;
  if (flag === undefined) return [message, more];
  const taker = await findTaker(flag);
  if (taker !== undefined) return [message, `It is an option of \`baton ${taker}\`; ${more}`];
  const { nearest } = await import("@baton/core/util");
  const near = nearest(flag, Object.keys(flags));
  return [message, near === undefined ? more : `Did you mean \`--${near}\`?`];
}

/**
 * The command that takes a setting as its option, though another does not.
 *
 * @param {string} flag
 */
async function findTaker(flag) {
  for (const { name, settings } of COMMANDS) if (Object.hasOwn((await settings?.()) ?? {}, flag)) return name;
  return undefined;
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text);
  return 0;
}

/**
 * @param {string} problem
 * @param {string} next
 */
function refuse(problem, next) {
  process.stderr.write(`baton: ${problem}\n${next}\n`);
  return 2;
}
