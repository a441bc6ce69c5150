/**
 * Proxy: the only way from a sandbox to the network, for the hosts that one call may reach.
 *
 * It listens on a socket of that call, resolves names itself, and connects to the address that it has checked: a name that
 * leads somewhere else a moment later changes nothing.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { connect, isIP, type Socket } from "node:net";
import { lookup } from "node:dns/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NOBODY } from "./bwrap-arguments.ts";
import { type HostTarget, isPublic, matchesHost, parseEntry, parseHost } from "./host-list.ts";

/** Finds the addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** A proxy that listens; disposing it ends its connections and removes its socket. */
export interface OpenProxy extends AsyncDisposable {
  readonly socket: string;
}

const MAX_CONNECTIONS = 128;
const CONNECT_MS = 30_000;
/** Fields of a request that are for the proxy, and those that say where it goes. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  "connection",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);
const HTTP_PORT = 80;

const resolveName: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);

/** Opens a proxy for these hosts. */
export async function openProxy(hosts: readonly string[], resolve = resolveName): Promise<OpenProxy> {
  const entries = hosts.flatMap((text) => parseEntry(text) ?? []);
  const folder = await mkdtemp(join(tmpdir(), `baton-proxy-${process.pid}-`));
  const socket = join(folder, "proxy");
  const open = new Set<{ destroy(): unknown }>();
  const keep = <T extends Socket>(one: T): T => {
    open.add(one);
    one.on("close", () => open.delete(one));
    one.on("error", () => one.destroy());
    return one;
  };
  const find = (target: HostTarget | undefined) => findAddress(target, entries, resolve);
  const server = createServer({ maxHeaderSize: 16_384 }, (asked, answer) => {
    forward(asked, answer, find).catch(() => refuse(answer, 502));
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connection", keep);
  server.on("connect", (asked, inside: Socket, head) => {
    inside.on("error", () => inside.destroy());
    tunnel(asked, inside, { find, keep, head }).catch(() => inside.destroy());
  });
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(socket, done);
  });
  if (process.getuid?.() === 0) for (const path of [folder, socket]) await chown(path, NOBODY, NOBODY);
  await chmod(socket, 0o600);
  return {
    socket,
    async [Symbol.asyncDispose]() {
      for (const one of open) one.destroy();
      await new Promise((done) => server.close(done));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Find = (target: HostTarget | undefined) => Promise<(HostTarget & { readonly address: string }) | undefined>;

/** The address that may be connected to; undefined if the target is not one of the call's. */
async function findAddress(
  target: HostTarget | undefined,
  entries: readonly HostTarget[],
  resolve: Resolve,
): Promise<(HostTarget & { readonly address: string }) | undefined> {
  if (target === undefined || !entries.some((entry) => matchesHost(entry, target))) return undefined;
  if (isIP(target.host) !== 0) return { ...target, address: target.host };
  const addresses = await resolve(target.host);
  const [address] = addresses;
  return address !== undefined && addresses.every(isPublic) ? { ...target, address } : undefined;
}

type Tunnel = Readonly<{ find: Find; keep: (socket: Socket) => Socket; head: Buffer }>;

async function tunnel(asked: IncomingMessage, inside: Socket, { find, keep, head }: Tunnel): Promise<void> {
  const target = await find(parseHost(asked.url ?? "", 0)).catch(() => undefined);
  if (target === undefined || target.port === 0) {
    inside.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    return;
  }
  const outside = keep(connect({ host: target.address, port: target.port, timeout: CONNECT_MS }));
  outside.once("timeout", () => outside.destroy());
  outside.once("connect", () => {
    outside.setTimeout(0);
    inside.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    outside.write(head);
    inside.pipe(outside).pipe(inside);
  });
  outside.on("close", () => inside.destroy());
  inside.on("close", () => outside.destroy());
}

async function forward(asked: IncomingMessage, answer: ServerResponse, find: Find): Promise<void> {
  const url = URL.parse(asked.url ?? "");
  const isPlain = url?.protocol === "http:" && url.username === "" && url.password === "";
  const target = isPlain ? await find(parseHost(url.host, HTTP_PORT)) : undefined;
  if (url === null || target === undefined) return refuse(answer, 403);
  const fields = Object.entries(asked.headers).filter(([name]) => !OWN_FIELDS.has(name));
  const sent = request({
    host: target.address,
    port: target.port,
    path: `${url.pathname}${url.search}`,
    method: asked.method ?? "GET",
    headers: { ...Object.fromEntries(fields), host: url.host },
    agent: false,
    timeout: CONNECT_MS,
  });
  sent.on("response", (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  sent.on("timeout", () => sent.destroy(new Error("no answer")));
  sent.on("error", () => refuse(answer, 502));
  answer.on("close", () => sent.destroy());
  asked.pipe(sent);
}

function refuse(answer: ServerResponse, status: number): void {
  if (answer.headersSent) answer.destroy();
  else answer.writeHead(status, { "content-length": 0, connection: "close" }).end();
}
