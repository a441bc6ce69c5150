/**
 * `baton up`: a whole system as processes on this machine: Restate, Postgres, two workers, two servers and a proxy.
 *
 * It is for people who want to see it, and for tests. Everything listens on 127.0.0.1, keeps its data in temporary folders,
 * and ends with one Ctrl-C.
 */
import { fileURLToPath } from "node:url";
import { createServer } from "node:net";
import { once } from "node:events";
import { SystemClock } from "@baton/core/ports";
import type { CliCommand } from "../command-line.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { configure } from "../serve/config.ts";
import type { Config } from "../serve/settings.ts";
import { STOPS_ON_EOF, waitForStopSignal } from "../serve/stop-signal.ts";
import { toOneLine, toPrintable } from "../terminal/printable.ts";
import { Child } from "../up/child-process.ts";
import { FrontProxy } from "../up/front-proxy.ts";

const BATON = fileURLToPath(new URL("../../bin/baton.js", import.meta.url));
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

async function start(config: Config, parts: AsyncDisposableStack): Promise<void> {
  const clock = new SystemClock();
  const { PostgresServer } = await import("@baton/store/postgres/embedded");
  const { RestateServer } = await import("@baton/restate/server");
  const { WorkerProxy } = await import("@baton/restate");
  say("starting Postgres and Restate …");
  const postgres = parts.use(await PostgresServer.start());
  const restate = parts.use(await RestateServer.start());
  const [ports, serverPorts] = [await freePorts(COUNT), await freePorts(COUNT)];
  const proxy = parts.use(
    await WorkerProxy.listen({ clock, workers: ports.map((port) => `http://127.0.0.1:${port}`) }),
  );
  say(`Postgres   ${postgres.url()}`);
  say(`Restate    ${restate.ingress.join(", ")}, admin ${restate.admin}`);
  say(`workers at ${proxy.url}, for Restate`);
  const shared = ["--postgres", postgres.url(), "--restate", restate.ingress.join(","), ...toOptions(config)];
  const crews = config.crews ?? [];
  const own = ["--worker-url", proxy.url, "--restate-admin", restate.admin, "--port", "0"];
  const worker = (port: number) => ["worker", ...crews, ...own, "--worker-port", `${port}`, ...shared];
  const server = (port: number) => ["serve", ...crews, "--port", `${port}`, ...shared];
  const children = [
    ...ports.map((port, index) => ({ name: `worker ${index + 1}`, args: worker(port) })),
    ...serverPorts.map((port, index) => ({ name: `server ${index + 1}`, args: server(port) })),
  ].map(({ name, args }) => {
    const log = config.log_level === "debug" ? say : () => undefined;
    const env = { ...process.env, [STOPS_ON_EOF]: "1" };
    return new Child({ name, clock, args: [BATON, ...args], env, log, tell: say });
  });
  for (const child of children) parts.use(child);
  // The first one creates the tables.
  const [first, ...others] = children;
  await first?.start();
  await Promise.all(others.map((child) => child.start()));
  const servers = serverPorts.map((port) => `http://127.0.0.1:${port}`);
  const front = parts.use(await FrontProxy.listen({ port: config.port, servers }));
  say(`servers at ${servers.join(" and ")}`);
  process.stdout.write(`listening on ${front.url}\n`);
  say("kill -9 any process above and watch its runs continue; Ctrl-C ends everything");
}

/** Options that all processes share. */
function toOptions({ script, model }: Config): readonly string[] {
  return [...(script === undefined ? [] : ["--script", script]), ...(model === undefined ? [] : ["--model", model])];
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function say(text: string): void {
  process.stdout.write(toPrintable(`${toOneLine(text)}\n`));
}
