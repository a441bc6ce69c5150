/**
 * Main: the process of a command: its output streams, its warnings and its exit code.
 *
 * Plain JavaScript. A reader that closes the pipe is not an error.
 */
import { writeSync } from "node:fs";
import module from "node:module";
import { runCommand } from "./run-command.js";

const streams = [process.stdout, process.stderr];
process.stdout.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code !== "EPIPE") endUnwritten(error.message);
});
// If standard error cannot be written, the exit code still tells the outcome.
process.stderr.on("error", () => undefined);

hideExperiments();
module.enableCompileCache();
const exitCode = await runCommand(process.argv.slice(2));
await Promise.all(streams.map((stream) => new Promise((resolve) => stream.write("", resolve))));
// A tool that is still running, or a timer, must not keep the process alive.
process.exit(exitCode);

/** Node 22 warns that SQLite is experimental; users cannot act on that. */
function hideExperiments() {
  const emit = process.emitWarning.bind(process);
  /** @param {[warning: string | Error, ...rest: unknown[]]} given */
  process.emitWarning = (...given) => {
    const [, about] = given;
    const type = typeof about === "object" && about !== null && "type" in about ? about.type : about;
    if (type !== "ExperimentalWarning") Reflect.apply(emit, process, given);
  };
}

/**
 * Lost output is a failure, even if the command succeeded.
 *
 * @param {string} why
 */
function endUnwritten(why) {
  try {
    writeSync(process.stderr.fd, `baton: cannot write to standard output: ${why}\n`);
  } finally {
    process.exit(1);
  }
}
