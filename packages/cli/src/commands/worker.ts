/**
 * `baton worker`: executes runs that servers accept, until a signal.
 *
 * It is a server, too: `/health`, `/ready` and `/metrics` tell about it.
 */
import type { CliCommand } from "../command-line.ts";
import { serveAs } from "./serve.ts";

/** Executes runs; the exit code is 0 after a clean stop. */
export const command: CliCommand = (commandLine) => serveAs("worker", commandLine);
