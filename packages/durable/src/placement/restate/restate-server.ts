/**
 * Restate server: a real one on 127.0.0.1, one node or a cluster, from the npm package `@restatedev/restate-server`; to try
 * things and for tests.
 *
 * Each node runs under a small shell that kills it and removes its data once the pipe to this process is closed, so it
 * ends with this process however that ends.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BatonError } from "@baton/core";

const PACKAGE = "@restatedev/restate-server";
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 20;

/**
 * `$1` is the folder of the node, the rest what is run. It ends with the node. A line on the pipe kills that; the end of the
 * pipe also removes the folder.
 */
const KEEPER = `
folder=$1; shift
exec 3<&0
"$@" </dev/null 3<&- >>"$folder/log" 2>&1 &
server=$!
echo $server
(read -r word <&3; [ "$word" = keep ] || touch "$folder/remove"; kill -9 $server) &
wait $server
kill $! 2>/dev/null
[ ! -e "$folder/remove" ] || rm -rf "$folder"
`;

/** The ports of a node. */
interface Ports {
  readonly node: number;
  readonly ingress: number;
  readonly admin: number;
}

/** Options of starting a server. */
export interface RestateServerOptions {
  /** One, or three that replicate each other. */
  readonly nodes?: 1 | 3;
  /** Where the npm package is looked for: a file or folder of the project that has it. */
  readonly from?: string;
}

/** A Restate server of this process. Disposing it stops it and removes its data. */
export class RestateServer implements AsyncDisposable {
  readonly nodes: readonly RestateNode[];

  private constructor(nodes: readonly RestateNode[]) {
    this.nodes = nodes;
  }

  static async start({ nodes = 1, from = import.meta.filename }: RestateServerOptions = {}): Promise<RestateServer> {
    const program = findProgram(from);
    const ports: Ports[] = [];
    for (let index = 0; index < nodes; index++) ports.push(await freePorts());
    const server = new RestateServer(ports.map((_, index) => new RestateNode(program, ports, index)));
    try {
      await Promise.all(server.nodes.map((node) => node.start()));
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Where work is offered. */
  get ingress(): readonly string[] {
    return this.nodes.map(({ ingress }) => ingress);
  }

  /** Where workers are registered. */
  get admin(): string {
    return this.nodes[0]?.admin ?? "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()));
  }
}

/** One node of a server. */
export class RestateNode implements AsyncDisposable {
  readonly ingress: string;
  readonly admin: string;
  readonly #folder: string;
  readonly #program: string;
  #keeper: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #pid = 0;

  constructor(program: string, ports: readonly Ports[], index: number) {
    const own = ports[index] ?? { node: 0, ingress: 0, admin: 0 };
    this.#program = program;
    this.#folder = mkdtempSync(join(tmpdir(), "baton-restate-"));
    this.ingress = `http://127.0.0.1:${own.ingress}`;
    this.admin = `http://127.0.0.1:${own.admin}`;
    writeFileSync(join(this.#folder, "restate.toml"), toConfig(this.#folder, ports, index));
  }

  /** Its process. */
  get pid(): number {
    return this.#pid;
  }

  /** Resolves when its process has ended, by whatever cause. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  /** Starts it, for the first time or after a crash, and waits until it takes requests. */
  async start(): Promise<void> {
    const command = [this.#program, "--config-file", join(this.#folder, "restate.toml"), "--no-logo"];
    const keeper = spawn("sh", ["-c", KEEPER, "keeper", this.#folder, ...command], {
      detached: true,
      env: { PATH: process.env["PATH"], DO_NOT_TRACK: "1" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#keeper = keeper;
    let hasEnded = false;
    this.#ended = once(keeper, "exit").then(() => {
      hasEnded = true;
    });
    this.#pid = await new Promise<number>((resolve) => {
      keeper.stdout.once("data", (line: Buffer) => resolve(Number(line.toString())));
    });
    const until = Date.now() + START_TIMEOUT_MS;
    for (const url of [`${this.admin}/health`, `${this.ingress}/restate/health`]) {
      while (!(await isHealthy(url))) {
        if (hasEnded) throw new BatonError("closed", "Restate ended while it started");
        if (Date.now() > until) throw new BatonError("timeout", "Restate did not start");
        await sleep(POLL_MS);
      }
    }
    // A process that forgets about it still ends, and it with that.
    keeper.unref();
    for (const pipe of [keeper.stdin, keeper.stdout]) if (pipe instanceof Socket) pipe.unref();
  }

  /** Kills it; its data stays. */
  async crash(): Promise<void> {
    await this.#stop("keep\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop("");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #stop(word: string): Promise<void> {
    const keeper = this.#keeper;
    this.#keeper = undefined;
    if (keeper === undefined) return;
    keeper.ref();
    keeper.stdin?.end(word);
    await this.#ended;
  }
}

/** The program for this machine, which is killed itself and not a script that has started it. */
function findProgram(from: string): string {
  try {
    const require = createRequire(from);
    const own = createRequire(require.resolve("@restatedev/restate-server/package.json"));
    return own.resolve(`${PACKAGE}-${process.platform}-${process.arch}/bin/restate-server`);
  } catch (error) {
    const message = `${PACKAGE} is not installed: npm install --save-dev ${PACKAGE}`;
    throw new BatonError("not_found", message, { cause: error });
  }
}

/** Loopback only, no telemetry, no web pages. The first node makes the cluster, the others join it. */
function toConfig(folder: string, ports: readonly Ports[], index: number): string {
  const own = ports[index] ?? { node: 0, ingress: 0, admin: 0 };
  const nodes = ports.map(({ node }) => `"http://127.0.0.1:${node}/"`).join(", ");
  return `
cluster-name = "baton"
node-name = "node-${index + 1}"
base-dir = ${JSON.stringify(folder)}
bind-address = "127.0.0.1:${own.node}"
advertised-address = "http://127.0.0.1:${own.node}/"
listen-mode = "tcp"
auto-provision = ${index === 0}
default-num-partitions = 4
default-replication = ${ports.length > 1 ? 2 : 1}
disable-telemetry = true
rocksdb-total-memory-size = "64 MiB"
log-filter = "warn,octocrab=off"
log-disable-ansi-codes = true

[metadata-client]
addresses = [${nodes}]

[admin]
bind-address = "127.0.0.1:${own.admin}"
disable-web-ui = true

[ingress]
bind-address = "127.0.0.1:${own.ingress}"
`;
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

async function freePorts(): Promise<Ports> {
  const servers = await Promise.all(Array.from({ length: 3 }, () => listen()));
  const [node = 0, ingress = 0, admin = 0] = servers.map(({ port }) => port);
  await Promise.all(servers.map(({ close }) => close()));
  return { node, ingress, admin };
}

async function listen(): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: typeof address === "object" && address !== null ? address.port : 0, close };
}
