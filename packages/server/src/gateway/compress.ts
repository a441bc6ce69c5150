/**
 * Compress: long JSON answers are sent as gzip to clients that accept it.
 *
 * On loopback nothing is compressed: there the time it takes is longer than the time it saves.
 */
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import type { MiddlewareHandler } from "hono";
import type { GatewayContext, GatewayEnv } from "./gateway-env.ts";

const MIN_BYTES = 32 * 1_024;
const toGzip = promisify(gzip);

/** Compresses what the routes after it answer. */
export const compressing: MiddlewareHandler<GatewayEnv> = async (c, next) => {
  await next();
  if (!isWanted(c)) return;
  const { status, headers } = c.res;
  const bytes = Buffer.from(await c.res.arrayBuffer());
  const isLong = bytes.length >= MIN_BYTES;
  const sent = new Headers(headers);
  sent.append("Vary", "Accept-Encoding");
  if (isLong) sent.set("Content-Encoding", "gzip");
  sent.delete("Content-Length");
  c.res = undefined;
  c.res = new Response(isLong ? await toGzip(bytes) : bytes, { status, headers: sent });
};

/** Options of an answer that is sent part by part. */
export interface SentParts {
  /** About how long its beginning is. */
  readonly chars: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends an answer part by part, as it is read, to the connection itself. */
export async function sendParts(
  c: GatewayContext,
  parts: AsyncIterable<string>,
  { chars, headers }: SentParts,
): Promise<void> {
  const { outgoing } = c.env;
  if (chars < MIN_BYTES || !isForGzip(c)) {
    outgoing.writeHead(200, headers);
    return pipeline(parts, outgoing);
  }
  outgoing.writeHead(200, { ...headers, "Content-Encoding": "gzip", Vary: "Accept-Encoding" });
  return pipeline(parts, createGzip(), outgoing);
}

/** Looks at the answer last: the adapter sends one that nobody has looked into without making a stream of it. */
function isWanted(c: GatewayContext): boolean {
  if (c.req.method !== "GET" || !isForGzip(c)) return false;
  const { headers, body } = c.res;
  return (
    body !== null &&
    headers.get("content-type")?.startsWith("application/json") === true &&
    !headers.has("content-encoding")
  );
}

/** Whether the client is on another machine and accepts gzip. */
function isForGzip(c: GatewayContext): boolean {
  return acceptsGzip(c.req.header("accept-encoding")) && !isLoopbackAddress(c.env.address);
}

/** Whether a header names gzip, and not with a weight of zero. */
export function acceptsGzip(header = ""): boolean {
  return header.split(",").some((part) => {
    const [name = "", weight = ""] = part.split(";").map((one) => one.trim().toLowerCase());
    return name === "gzip" && Number(weight.startsWith("q=") ? weight.slice(2) : 1) > 0;
  });
}

/** Whether an address is of this machine; one that is gone is treated as such. */
export function isLoopbackAddress(address = "::1"): boolean {
  return address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");
}
