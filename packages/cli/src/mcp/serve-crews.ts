/**
 * `baton mcp serve`: crews as tools of the MCP client that started this process, over standard input and output.
 *
 * Only messages of the protocol are written to standard output: what crews print goes to standard error.
 */
import { Writable } from "node:stream";
import { importNeeded } from "@baton/baton/optional";
import { openParts } from "@baton/baton/parts";
import { SCOPES } from "@baton/server/keys";
import { toMcp, toMounted, toOptions, toPartsOptions, toStderr, toThreadOptions } from "../commands/serve.ts";
import type { CliCommand } from "../command-line.ts";
import { openThreads } from "../crew/crew-loader.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { configure } from "../serve/config.ts";
import { waitForStopSignal } from "../serve/stop-signal.ts";
import { ignoreWriteErrors, showUncaughtErrors } from "../uncaught-errors.ts";

/** Clients end a process about two seconds after they close its input. */
const RUN_GRACE_MS = 1_000;

/** Serves until the input ends or a signal comes; the exit code is 0 after a clean stop. */
export const command: CliCommand = async (commandLine) => {
  const needed = { name: "@baton/mcp", needs: "`baton mcp`" };
  const { serveStdio } = await importNeeded(needed, () => import("@baton/mcp/server"));
  const { config } = await configure(commandLine, process.env);
  ignoreWriteErrors();
  const output = claimOutput();
  const stopped = waitForStopSignal();
  process.env["BATON_DATA"] = config.data;
  const threads = openThreads({ onStray: toStderr, ...toThreadOptions(config) });
  threads.shareAuto();
  await using mcp = toMcp(config, toStderr);
  await using parts = await openParts(
    toPartsOptions("server", config, { reader: { threads, sandbox: { mcp: mcp.makeTools } }, warn: toStderr }),
  );
  showUncaughtErrors(() => undefined);
  const { answerRequests } = await import("@baton/baton/serving");
  const serving = { ...parts, reasons: parts.models.describe(parts.crews) };
  const options = { ...toOptions(config), ...toMounted(parts.crews) };
  const handler = await answerRequests(serving, {
    ...options,
    mcp: true,
    logLevel: "warn",
    rateLimits: "off",
    graceMs: RUN_GRACE_MS,
    // The process belongs to the user who started it, whatever keys a server on the same data needs.
    identify: () => ({ user: "local", scopes: SCOPES }),
  });
  await serveStdio({ fetch: handler.fetch, output, stopped, graceMs: options.graceMs });
  await handler.stop();
  return EXIT_CODES.done;
};

/** Takes standard output for messages; whatever else is printed goes to standard error from now on. */
function claimOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      write(text, () => done());
    },
  });
}
