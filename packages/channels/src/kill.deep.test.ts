import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { openSqlite } from "@baton/store/sqlite";
import { z } from "zod";
import { LocalPlatform } from "./testing/local-platform.ts";

const SERVER = join(import.meta.dirname, "testing", "killed-server.ts");
const MARKUP = z.object({ inline_keyboard: z.array(z.array(z.object({ callback_data: z.string() }))) });
/** More points than the conversation has; beyond the last one nothing is killed. */
const POINTS = Array.from({ length: 120 }, (_, index) => index + 1);

/** The platform behind an address, so that it outlives the servers. */
async function serve(platform: LocalPlatform) {
  const server = createServer((request, response) => {
    const aborted = new AbortController();
    response.on("close", () => aborted.abort());
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString();
      platform
        .fetch(`http://platform${request.url}`, { method: "POST", body, signal: aborted.signal })
        .then(async (answer) => {
          response.writeHead(answer.status, { "Content-Type": "application/json" });
          response.end(await answer.text());
        })
        .catch(() => response.destroy());
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return { server, address: `http://127.0.0.1:${toPort(address)}` };
}

const toPort = ({ port }: AddressInfo) => port;

/** Servers one after the other: the first dies at the point, the next go on. */
async function converse(point: number): Promise<{ texts: readonly string[]; runs: number; wasKilled: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), "baton-kill-"));
  const file = join(folder, "store.db");
  const platform = new LocalPlatform();
  const { server, address } = await serve(platform);
  let child: ChildProcess | undefined;
  let isOver = false;
  let deaths = 0;
  const begin = (at: number) => {
    child = spawn(process.execPath, [SERVER, file, address, String(at)], { stdio: ["ignore", "ignore", "inherit"] });
    child.once("exit", () => {
      if (isOver) return;
      deaths++;
      begin(0);
    });
  };
  const until = async (fits: () => boolean) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    platform.called = () => {
      if (fits()) resolve();
    };
    if (!fits()) await promise;
  };
  const has = (text: string) => platform.texts().some((sent) => sent.endsWith(text));
  try {
    begin(point);
    platform.say("/help");
    await until(() => platform.texts().some((sent) => sent.includes("/unlink")));
    const hello = platform.say("hello");
    await until(() => has("Hello there."));
    platform.say("refund A1");
    const asked = () => platform.of("sendMessage").findLast((one) => one["reply_markup"] !== undefined);
    await until(() => asked() !== undefined);
    platform.press(MARKUP.parse(asked()?.["reply_markup"]).inline_keyboard[0]?.[0]?.callback_data ?? "");
    // A refund that was interrupted is an operator's to decide.
    await until(() => has("It is done.") || has("approval of an operator."));
    const person = { id: 7, is_bot: false, first_name: "Lan" };
    const chat = { id: 7, type: "private" };
    platform.deliver({
      edited_message: { message_id: hello, date: 1, edit_date: 2, from: person, chat, text: "hello again" },
    });
    const isFork = (one: Readonly<Record<string, unknown>>) => one["reply_parameters"] !== undefined;
    await until(() => platform.of("sendMessage").some(isFork));
    platform.say("/stop");
    await until(() => has("Nothing is running.") || platform.texts().some((sent) => sent.includes("⏹")));
  } finally {
    isOver = true;
    child?.kill("SIGKILL");
    if (child !== undefined && child.exitCode === null && child.signalCode === null) await once(child, "exit");
    server.closeAllConnections();
    server.close();
  }
  const database = await openSqlite({ path: file });
  const runs = (await database.runs.list({})).length;
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
  return { texts: platform.texts(), runs, wasKilled: deaths > 0 };
}

// Each takes seconds: a slice of a slice.
for (const point of inSlice(inSlice(POINTS)))
  test(`a server that is killed at point ${point} loses no answer, marks repeats and starts no run twice`, async () => {
    const { texts, runs } = await converse(point);
    // hello, refund, and the fork of hello.
    assert.equal(runs, 3);
    const unmarked = texts.filter((text) => !text.startsWith("↻"));
    assert.equal(unmarked.filter((text) => text === "Hello there.").length <= 2, true);
    for (const one of ["It is done.", "Nothing is running."])
      assert.ok(unmarked.filter((text) => text === one).length <= 1, one);
    assert.equal(unmarked.filter((text) => text.includes("/unlink")).length <= 1, true);
    const repeats = texts.length - unmarked.length;
    assert.ok(repeats <= 1, texts.join(" | "));
  });
