/**
 * Test Redis: a real `redis-server` if this machine has one, else a server in this process that speaks its format.
 *
 * Titles of tests have `REDIS`, so that it is never silent which of the two was tested.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { openRedis } from "../redis.ts";
import { startRespServer } from "./resp-server.ts";

/** A Redis for tests; `stop` ends it, `start` brings it back at the same address, without its data if it is a real one. */
export interface TestRedis extends AsyncDisposable {
  readonly url: string;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
}

const PROGRAM = "redis-server";

/** Whether this machine has a `redis-server`. */
export const HAS_REDIS = isOnPath();

/** Name of the tested server, for the titles of tests. */
export const REDIS = HAS_REDIS ? "redis-server" : "no redis-server here: a stand-in that speaks RESP";

/** Starts a Redis with nothing in it. */
export async function startTestRedis(): Promise<TestRedis> {
  return HAS_REDIS ? startReal() : startStandIn();
}

async function startStandIn(): Promise<TestRedis> {
  let server = await startRespServer();
  const { data, port, url } = server;
  let isRunning = true;
  const stop = async () => {
    if (isRunning) await server.stop();
    isRunning = false;
  };
  const start = async () => {
    server = await startRespServer(data, port);
    isRunning = true;
  };
  return { url, stop, start, [Symbol.asyncDispose]: stop };
}

async function startReal(): Promise<TestRedis> {
  const port = await findPort();
  const url = `redis://127.0.0.1:${port}`;
  const start = async () => {
    const child = spawn(PROGRAM, ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"], {
      stdio: "ignore",
    });
    await untilUp(url);
    return child;
  };
  let child: ReturnType<typeof spawn> | undefined = await start();
  const stop = async () => {
    if (child === undefined) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    child = undefined;
  };
  return {
    url,
    stop,
    start: async () => {
      child = await start();
    },
    [Symbol.asyncDispose]: stop,
  };
}

async function untilUp(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await (await openRedis(url))[Symbol.asyncDispose]();
      return;
    } catch (error) {
      if (tries > 300) throw error;
      await setTimeout(20);
    }
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const closed = once(server, "close");
  server.close();
  await closed;
  return typeof address === "object" && address !== null ? address.port : 0;
}

function isOnPath(): boolean {
  try {
    execFileSync(PROGRAM, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
