/**
 * Main: says which command is meant, and loads only that.
 *
 * Plain JavaScript, and help needs nothing but the table of commands, so that it is there at once. A reader that
 * closes the pipe is no error.
 */
import { writeSync } from "node:fs";
import module from "node:module";
import { parseArguments } from "./arguments.js";
import { COMMANDS } from "./commands.js";
import { toCommandHelp, toHelp } from "./help.js";

const streams = [process.stdout, process.stderr];
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") endUnwritten(error.message);
});
// What cannot be told cannot be told: the exit code says the rest.
process.stderr.on("error", () => undefined);

hideExperiments();
const exitCode = await main(process.argv.slice(2));
await Promise.all(streams.map((stream) => new Promise((resolve) => stream.write("", resolve))));
// A tool that did not stop, or left a timer behind, does not keep the process.
process.exit(exitCode);

/** Node 22 warns that SQLite is experimental: that is nothing a user can act on. */
function hideExperiments() {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = (warning, ...rest) => {
    const isExperiment = rest[0] === "ExperimentalWarning" || rest[0]?.type === "ExperimentalWarning";
    if (!isExperiment) emit(warning, ...rest);
  };
}

/** Output that is lost is a failure, whatever became of the command. */
function endUnwritten(why) {
  try {
    writeSync(process.stderr.fd, `baton: the output cannot be written: ${why}\n`);
  } finally {
    process.exit(1);
  }
}

/** Runs the command the arguments ask for, and gives its exit code. */
async function main([name, ...rest]) {
  module.enableCompileCache();
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

async function help(name) {
  if (name === undefined) return print(toHelp(COMMANDS));
  const command = await findCommand(name);
  return command === undefined ? refuse(...(await toUnknownCommand(name))) : print(toCommandHelp(command));
}

/** The command with all its options: those that are settings are read from the schema of settings. */
async function findCommand(name) {
  const command = COMMANDS.find((one) => one.name === name);
  if (command?.settings === undefined) return command;
  return { ...command, flags: { ...(await command.settings()), ...command.flags } };
}

async function version() {
  const { default: manifest } = await import("../package.json", { with: { type: "json" } });
  return print(`baton ${manifest.version}\n`);
}

async function toUnknownCommand(name) {
  const { nearest } = await import("@baton/core/ports");
  const near = nearest(
    name,
    COMMANDS.map((command) => command.name),
  );
  const next = near === undefined ? "`baton --help` lists what there is." : `Did you mean \`baton ${near}\`?`;
  return [`there is no command \`${name}\`.`, next];
}

async function toUnusable({ name, flags }, { message, flag }) {
  const more = `\`baton ${name} --help\` lists what it takes.`;
  if (flag === undefined) return [message, more];
  const { nearest } = await import("@baton/core/ports");
  const near = nearest(flag, Object.keys(flags));
  return [message, near === undefined ? more : `Did you mean \`--${near}\`?`];
}

function print(text) {
  process.stdout.write(text);
  return 0;
}

function refuse(problem, next) {
  process.stderr.write(`baton: ${problem}\n${next}\n`);
  return 2;
}
