/**
 * Body: reads what a server sends as text, never more of it than is allowed, before and after decompression.
 */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { FetchError } from "./fetch-error.ts";

/** Kind of a body, by its content type. */
export type ContentKind = "json" | "csv" | "xml" | "text" | "html" | "other";

/** Answer to a request, also one whose status says that it failed. */
export interface FetchAnswer {
  readonly status: number;
  readonly kind: ContentKind;
  readonly text: string;
  /** By its name in lower case. */
  readonly header: (name: string) => string | undefined;
}

const ZLIB_METHOD = 8;

/** The body as text; a cut or broken one is an error. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const raw = await readBytes(response, maxBytes, "network");
  const bytes = await decode(raw, response.headers["content-encoding"], maxBytes);
  return toText(bytes, response.headers["content-type"]);
}

/** Reads a content type, without its parameters. */
export function toContentKind(contentType: string | undefined): ContentKind {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type.endsWith("/json") || type.endsWith("+json")) return "json";
  if (type.endsWith("/csv")) return "csv";
  if (type.endsWith("/xml") || type.endsWith("+xml")) return "xml";
  return type === "text/plain" ? "text" : "other";
}

/** Whether text is an HTML page, whatever its content type says. */
export function looksLikeHtml(text: string): boolean {
  const start = text.slice(0, 1_000).trimStart().toLowerCase();
  return start.startsWith("<!doctype html") || start.startsWith("<html");
}

async function decode(raw: Buffer, header: string | undefined, maxBytes: number): Promise<Buffer> {
  const encoding = (header ?? "").trim().toLowerCase();
  if (encoding === "" || encoding === "identity" || raw.length === 0) return raw;
  const decoder = toDecoder(encoding, raw);
  if (decoder === undefined) throw new FetchError("encoding", "the body has a content encoding that was not asked for");
  decoder.end(raw);
  return readBytes(decoder, maxBytes, "encoding");
}

function toDecoder(encoding: string, raw: Buffer) {
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "br") return createBrotliDecompress();
  if (encoding !== "deflate") return undefined;
  // Some servers send the bare stream, without the header of zlib that the name asks for.
  return ((raw[0] ?? 0) & 0x0f) === ZLIB_METHOD ? createInflate() : createInflateRaw();
}

async function readBytes(stream: Readable, maxBytes: number, broken: "network" | "encoding"): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > maxBytes) throw new FetchError("too_large", `the body is larger than ${toSize(maxBytes)}`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw new FetchError(broken, broken === "network" ? "the body ended too early" : "the body cannot be decompressed");
  } finally {
    stream.destroy();
  }
  return Buffer.concat(chunks, size);
}

const toSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${Math.ceil(bytes / 1_000_000)} MB`;

function toText(bytes: Buffer, contentType: string | undefined): string {
  const charset = /charset="?([\w-]{1,40})/i.exec((contentType ?? "").slice(0, 200))?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
