/**
 * RESP server: a small Redis in this process, for machines without one.
 *
 * It speaks the wire format and knows the commands that the store sends, strictly: anything else is an error. It cannot
 * run Lua, so it runs `script-twins` instead of the scripts.
 */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { Buffer } from "node:buffer";
import { toScriptHash } from "../redis.ts";
import { type Reply, SCRIPT_TWINS, type TwinData } from "./script-twins.ts";

/** Data as it is kept: texts by key. */
class RespData implements TwinData {
  readonly texts = new Map<string, string>();
  readonly known = new Set<string>();
  readonly commands: string[] = [];
}

/** Starts one on a free port of this machine; the same data may be given to a second one, as after a restart. */
export async function startRespServer(data = new RespData(), port = 0) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let rest: Buffer = Buffer.alloc(0);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      for (;;) {
        const read = readCommand(rest);
        if (read === undefined) return;
        rest = rest.subarray(read.length);
        socket.write(toBytes(carryOut(data, read.args)));
      }
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : 0;
  const stop = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { data, port: bound, url: `redis://127.0.0.1:${bound}`, stop, [Symbol.asyncDispose]: stop };
}

function carryOut(data: RespData, [name = "", ...args]: readonly string[]): Reply {
  data.commands.push(name.toUpperCase());
  const [key = "", value = ""] = args;
  switch (name.toUpperCase()) {
    case "PING":
      return { simple: "PONG" };
    case "SELECT":
      return { simple: "OK" };
    case "GET":
      return data.texts.get(key);
    case "SET":
      data.texts.set(key, value);
      return args.length === 4 && args[2] === "PX" ? { simple: "OK" } : { error: "ERR syntax error" };
    case "DEL":
      return args.filter((one) => data.texts.delete(one)).length;
    case "EVALSHA":
      return data.known.has(key) ? runTwin(data, key, args) : { error: "NOSCRIPT No matching script." };
    case "EVAL":
      data.known.add(toScriptHash(key));
      return runTwin(data, toScriptHash(key), args);
    default:
      return { error: `ERR unknown command '${name}'` };
  }
}

function runTwin(data: RespData, hash: string, [, count = "", ...rest]: readonly string[]): Reply {
  const twin = SCRIPT_TWINS.get(hash);
  const keys = rest.slice(0, Number(count));
  return twin === undefined ? { error: "ERR no such script here" } : twin(data, keys, rest.slice(Number(count)));
}

/** The first whole command in the bytes, and how long it is; undefined if it is not complete. */
function readCommand(bytes: Buffer): { readonly args: readonly string[]; readonly length: number } | undefined {
  let at = 0;
  const readNumber = (mark: string): number | undefined => {
    const end = bytes.indexOf("\r\n", at);
    if (end === -1) return undefined;
    const text = bytes.toString("latin1", at, end);
    if (!text.startsWith(mark)) throw new Error(`expected ${mark}, got ${text}`);
    at = end + 2;
    return Number(text.slice(1));
  };
  const count = readNumber("*");
  if (count === undefined) return undefined;
  const args: string[] = [];
  for (let index = 0; index < count; index++) {
    const length = readNumber("$");
    if (length === undefined || bytes.length < at + length + 2) return undefined;
    args.push(bytes.toString("utf8", at, at + length));
    at += length + 2;
  }
  return { args, length: at };
}

function toBytes(reply: Reply): string {
  if (reply === undefined) return "$-1\r\n";
  if (typeof reply === "string") return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  if (typeof reply === "number") return `:${reply}\r\n`;
  if ("simple" in reply) return `+${reply.simple}\r\n`;
  if ("error" in reply) return `-${reply.error}\r\n`;
  return `*${reply.length}\r\n${reply.map(toBytes).join("")}`;
}
