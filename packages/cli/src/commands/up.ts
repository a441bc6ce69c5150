/**
 * `baton up`: a whole system as processes on this machine: Restate, Postgres, two workers, two servers and a proxy.
 *
 * It is for people who want to see it, and for tests. Everything listens on 127.0.0.1, keeps its data in temporary folders,
 * and ends with one Ctrl-C.
 */
import { SystemClock } from "@baton/core/ports";
import type { CliCommand } from "../command-line.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { configure } from "../serve/config.ts";
import type { ServerConfig } from "../serve/settings.ts";
import { waitForStopSignal } from "../serve/stop-signal.ts";
import { toOneLine, toPrintable } from "../terminal/printable.ts";
import { Cluster } from "../up/cluster.ts";

const COUNT = 2;

/** Starts everything; the exit code is 0 after a clean stop. */
export const command: CliCommand = async (commandLine) => {
  const { config } = await configure(commandLine, process.env);
  const stopped = waitForStopSignal();
  await using parts = new AsyncDisposableStack();
  const stopping = stopped.then(() => say("stopping"));
  const started = start(config, parts);
  await Promise.race([started, stopped]);
  await stopping;
  // What is still being started must be known before it can be stopped.
  await started.catch(() => undefined);
  return EXIT_CODES.done;
};

async function start(config: ServerConfig, parts: AsyncDisposableStack): Promise<void> {
  const cluster = await Cluster.start({
    clock: new SystemClock(),
    crews: config.crews ?? [],
    port: config.port,
    workers: COUNT,
    servers: COUNT,
    restateNodes: 1,
    options: toOptions(config),
    env: process.env,
    log: config.log_level === "debug" ? say : () => undefined,
    tell: say,
  });
  parts.use(cluster);
  process.stdout.write(`listening on ${cluster.url}\n`);
  say("kill -9 any process above and watch its runs continue; Ctrl-C ends everything");
}

/** Options that all processes share. */
function toOptions({ script, model }: ServerConfig): readonly string[] {
  return [...(script === undefined ? [] : ["--script", script]), ...(model === undefined ? [] : ["--model", model])];
}

function say(text: string): void {
  process.stdout.write(toPrintable(`${toOneLine(text)}\n`));
}
