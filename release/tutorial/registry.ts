/**
 * Registry: an npm registry on this machine that has the packed packages, and fetches all others from the registry that
 * npm is configured with.
 *
 * It listens on loopback only, publishes nothing, and keeps nothing.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { promisify } from "node:util";
import { z } from "zod";
import type { Packed } from "../pack.ts";

const LISTENING = z.object({ port: z.int() });
/** The short form of a package's metadata, which npm asks for to install. */
const JSON_TYPE = "application/json";

/** A registry that serves until it is disposed of. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
}

/** A packed package, and where requests find it. */
interface Entry {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly manifest: Packed["manifest"];
}

interface Shelf {
  readonly entries: ReadonlyMap<string, Entry>;
  /** The configured registry, with a slash at its end. */
  readonly upstream: string;
}

/** Serves packed packages by their names. */
export async function openRegistry(packed: ReadonlyMap<string, Packed>): Promise<Registry> {
  const entries = await Promise.all(
    Array.from(packed, async ([name, { tarball, manifest }]) => ({ name, manifest, bytes: await readFile(tarball) })),
  );
  const shelf = { entries: new Map(entries.map((entry) => [entry.name, entry])), upstream: await configured() };
  const server = createServer((request, response) => {
    answer(shelf, request, response).catch((error: unknown) => {
      response.writeHead(502).end(String(error));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${LISTENING.parse(server.address()).port}/`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function configured(): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"]);
  return stdout.trim().replace(/\/?$/, "/");
}

async function answer(shelf: Shelf, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const own = `http://${request.headers.host ?? ""}/`;
  const path = decodeURIComponent((request.url ?? "/").slice(1));
  const [name = "", file] = path.split("/-/");
  const entry = shelf.entries.get(name);
  if (entry === undefined) return forward(shelf, { request, response, own });
  if (file !== undefined) return send(response, "application/octet-stream", entry.bytes);
  return send(response, JSON_TYPE, JSON.stringify(toDocument(entry, own)));
}

/** The metadata of a package: here it has one version, the latest. */
function toDocument({ name, manifest, bytes }: Entry, own: string): object {
  const { version } = manifest;
  const tarball = `${own}${name}/-/${version}.tgz`;
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  return {
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball, integrity } } },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly own: string;
}

/** Fetches from the configured registry. Addresses of tarballs in its answers lead here, so that npm knows one host. */
async function forward({ upstream }: Shelf, { request, response, own }: Exchange): Promise<void> {
  if (request.method !== "GET") return reject(response);
  const { accept = JSON_TYPE } = request.headers;
  const got = await fetch(new URL((request.url ?? "/").slice(1), upstream), { headers: { accept } });
  const type = got.headers.get("content-type") ?? "application/octet-stream";
  if (type.includes("json")) {
    response.writeHead(got.status, { "content-type": type });
    response.end((await got.text()).replaceAll(upstream, own));
    return;
  }
  response.writeHead(got.status, { "content-type": type });
  response.end(new Uint8Array(await got.arrayBuffer()));
}

/** Audits and publishing: npm goes on without. */
function reject(response: ServerResponse): void {
  response.writeHead(404).end();
}

function send(response: ServerResponse, type: string, body: string | Uint8Array): void {
  response.writeHead(200, { "content-type": type }).end(body);
}
