/**
 * Console: the built console's files, read once and given to browsers.
 *
 * Files whose names change with their content may be kept for ever; the page itself is asked for anew each time, and
 * mostly answered with 304. Nothing runs in it but its own scripts and styles.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import type { Hono } from "hono";
import { isConsoleFile, isConsolePage } from "../gateway/console-path.ts";
import { methodsOf } from "../gateway/gateway.ts";
import { type GatewayContext, type GatewayEnv, setHeader } from "../gateway/gateway-env.ts";

interface ConsoleFile {
  readonly type: string;
  readonly etag: string;
  readonly body: Buffer<ArrayBuffer>;
  /** The same, compressed, by the name of its encoding. */
  readonly encoded: ReadonlyMap<string, Buffer<ArrayBuffer>>;
}

/** The files of a console by their paths. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const TYPES: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".woff2", "font/woff2"],
  [".json", "application/json"],
  [".txt", "text/plain; charset=utf-8"],
]);
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;
const INDEX = "/index.html";
/** A browser has no key when it opens an address, so an unknown path is refused before it is looked for. */
const MISSING: readonly number[] = [401, 404];
const FOR_EVER = "public, max-age=31536000, immutable";
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Reads a built console; throws if the folder has no page. */
export async function readConsole(folder: string): Promise<ConsoleFiles> {
  const names = await readdir(folder, { recursive: true });
  const files = new Map<string, ConsoleFile>();
  for (const name of names.filter((one) => TYPES.has(extname(one)))) {
    const body = await readFile(join(folder, name));
    const encoded = new Map<string, Buffer<ArrayBuffer>>();
    for (const [encoding, ending] of ENCODINGS) {
      if (names.includes(`${name}${ending}`)) encoded.set(encoding, await readFile(join(folder, `${name}${ending}`)));
    }
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    files.set(`/${name.split(sep).join("/")}`, { type: TYPES.get(extname(name)) ?? "", etag, body, encoded });
  }
  if (!files.has(INDEX)) throw new Error(`${folder} has no console: its index.html is missing`);
  return files;
}

/** Shows the console's own page to a browser that asks for a path without a route; other clients get the problem. */
export function addMissingPage(app: Hono<GatewayEnv>, files: ConsoleFiles): void {
  const page = files.get(INDEX);
  app.use(async (c, next) => {
    await next();
    const isBrowser = c.req.method === "GET" && (c.req.header("accept") ?? "").includes("text/html");
    const isMissing = MISSING.includes(c.res.status) && methodsOf(app, c.req.path).length === 0;
    if (page === undefined || !isBrowser || !isMissing) return;
    const { type, body } = page;
    c.res = new Response(body, { status: 404, headers: { "Content-Type": type, "Cache-Control": "no-store" } });
    setHeader(c, "Content-Security-Policy", POLICY);
  });
}

/** Gives the console's pages and files to browsers. */
export function addConsole(app: Hono<GatewayEnv>, files: ConsoleFiles): void {
  app.use(async (c, next) => {
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    const { path } = c.req;
    const file = isConsolePage(path) ? files.get(INDEX) : isConsoleFile(path) ? files.get(path) : undefined;
    if (!isRead || file === undefined) {
      await next();
      return undefined;
    }
    return answer(c, file, path.startsWith("/assets/") ? FOR_EVER : "no-cache");
  });
}

function answer(c: GatewayContext, file: ConsoleFile, caching: string): Response {
  setHeader(c, "Cache-Control", caching);
  setHeader(c, "Content-Security-Policy", POLICY);
  const { type, etag, body, encoded } = file;
  const headers = { "Content-Type": type, ETag: etag, Vary: "Accept-Encoding" };
  if (c.req.header("if-none-match")?.includes(etag) === true) return c.body(null, 304, headers);
  const accepted = (c.req.header("accept-encoding") ?? "").split(",").map((name) => name.split(";", 1)[0]?.trim());
  for (const [encoding] of ENCODINGS) {
    const bytes = encoded.get(encoding);
    if (bytes === undefined || !accepted.includes(encoding)) continue;
    return c.body(bytes, 200, { ...headers, "Content-Encoding": encoding });
  }
  return c.body(body, 200, headers);
}
