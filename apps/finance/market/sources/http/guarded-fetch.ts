/**
 * Guarded fetch: the only place that touches the network.
 *
 * It connects to exactly the public addresses it has checked, at each redirect again, follows few redirects, carries no
 * key to another origin, and bounds time, size and content type. A cancelled scope closes the connection.
 */
import { lookup } from "node:dns/promises";
import { request as requestHttp, type IncomingMessage, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { BatonError } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import { reachOf, toBare } from "./address.ts";
import { looksLikeHtml, readBody, toContentKind, type ContentKind, type FetchAnswer } from "./body.ts";
import { FetchError } from "./fetch-error.ts";
import { checkHop, isRedirect, toNextHop, type Hop } from "./hop.ts";
import { waitFor } from "./wait-for.ts";

/** Request to make. Header names are in lower case. */
export interface FetchRequest {
  readonly url: URL;
  /** GET if there is no body, else POST. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers with credentials; they go to the origin of `url` only. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Kinds that a successful answer may have; HTML never passes for anything else. */
  readonly accepts: readonly ContentKind[];
  /** Instead of the guard's own limit. */
  readonly maxBytes?: number;
}

/** Asks once; the scope ends it. */
export type Fetch = (request: FetchRequest, scope: Scope) => Promise<FetchAnswer>;

/** Limits in time and bytes. */
export interface FetchLimits {
  readonly connectMs: number;
  /** Until the headers of the answer. */
  readonly headersMs: number;
  readonly totalMs: number;
  readonly maxBytes: number;
}

/** Options of the guard. */
export interface GuardOptions {
  /** `loopback` for a source whose own base URL is a loopback address. */
  readonly reach: "public" | "loopback";
  readonly limits?: Partial<FetchLimits>;
  /** The addresses of a host name; the system's resolver if not given. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

type Guard = Readonly<{
  limits: FetchLimits;
  resolve: (hostname: string) => Promise<readonly string[]>;
  mayReach: (address: string) => boolean;
}>;

const LIMITS: FetchLimits = { connectMs: 5_000, headersMs: 15_000, totalMs: 15_000, maxBytes: 8_000_000 };
const MAX_REDIRECTS = 3;
const MAX_ERROR_BYTES = 64_000;
const ENCODINGS = "gzip, deflate, br";
const USER_AGENT = "baton-finance/0.1";
const MIME: Readonly<Record<ContentKind, string>> = {
  json: "application/json",
  csv: "text/csv",
  xml: "application/xml",
  text: "text/plain",
  html: "text/html",
  other: "*/*",
};

/** A fetch that keeps the rules above. */
export function guardedFetch(options: GuardOptions): Fetch {
  const guard: Guard = {
    limits: { ...LIMITS, ...options.limits },
    resolve: options.resolve ?? resolveBySystem,
    mayReach: (address) => {
      const reach = reachOf(address);
      return reach === "public" || (reach === "loopback" && options.reach === "loopback");
    },
  };
  return async (request, scope) => {
    const { totalMs } = guard.limits;
    try {
      await using work = scope.child({ name: `fetch:${request.url.hostname}`, timeoutMs: totalMs });
      return await work.race(() => follow(guard, request, work));
    } catch (error) {
      if (error instanceof FetchError || !scope.live) throw error;
      const isLate = error instanceof BatonError && error.code === "timeout";
      if (isLate) throw new FetchError("timeout", `${request.url.hostname} took longer than ${totalMs} ms`);
      throw new FetchError("network", `${request.url.hostname} cannot be reached`);
    }
  };
}

async function follow(guard: Guard, request: FetchRequest, scope: Scope): Promise<FetchAnswer> {
  let hop = toFirstHop(request);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    checkHop(hop);
    const addresses = await findAddresses(guard, hop.url, scope);
    const response = await exchange({ hop, addresses, guard }, scope);
    const status = response.statusCode ?? 0;
    if (isRedirect(status)) {
      response.destroy();
      hop = toNextHop(hop, status, response.headers.location);
      continue;
    }
    return readAnswer(response, request, guard.limits.maxBytes);
  }
  throw new FetchError("refused", `${request.url.hostname} redirects more than ${MAX_REDIRECTS} times`);
}

function toFirstHop({ url, body, headers = {}, secrets = {}, accepts }: FetchRequest): Hop {
  const own = {
    accept: accepts.map((kind) => MIME[kind]).join(", "),
    "accept-encoding": ENCODINGS,
    "user-agent": USER_AGENT,
  };
  const rest = { url, headers: { ...own, ...headers }, secrets };
  return body === undefined ? { ...rest, method: "GET" } : { ...rest, method: "POST", body };
}

/** Every address of the host, each of which must be allowed: one bad one among them is a sign of a trick. */
async function findAddresses(guard: Guard, url: URL, scope: Scope): Promise<readonly string[]> {
  const host = toBare(url.hostname);
  const found = isIP(host) === 0 ? await waitFor(scope, guard.resolve(host)) : [host];
  if (found.length === 0) throw new FetchError("network", `${host} has no address`);
  if (!found.every((address) => guard.mayReach(address))) {
    throw new FetchError("refused", `${host} is not a public address`);
  }
  return found;
}

async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  try {
    return (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);
  } catch {
    throw new FetchError("network", `${hostname} cannot be resolved`);
  }
}

type Exchange = Readonly<{
  hop: Hop;
  addresses: readonly string[];
  guard: Guard;
}>;

/** One request on a connection of its own, up to the answer's headers; the body is yet to be read. */
function exchange({ hop, addresses, guard }: Exchange, scope: Scope): Promise<IncomingMessage> {
  const { url, method, headers, secrets, body } = hop;
  const { headersMs } = guard.limits;
  const { connectMs } = guard.limits;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": `${Buffer.byteLength(body)}` };
    const options: RequestOptions = {
      method,
      headers: { ...headers, ...secrets, ...length },
      agent: false,
      lookup: toPinned(addresses),
    };
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options);
    const timer = scope.clock.after(connectMs, () => {
      request.destroy(new FetchError("timeout", `${url.hostname} did not connect within ${connectMs} ms`));
    });
    const silence = scope.clock.after(headersMs, () => {
      request.destroy(new FetchError("timeout", `${url.hostname} did not answer within ${headersMs} ms`));
    });
    const forget = scope.onCancel(() => request.destroy());
    request.once("socket", (socket) => {
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => timer.cancel());
    });
    request.once("response", (response) => {
      silence.cancel();
      resolve(response);
    });
    request.once("close", () => {
      timer.cancel();
      silence.cancel();
      forget();
    });
    request.on("error", (error) => {
      timer.cancel();
      silence.cancel();
      reject(error instanceof FetchError ? error : new FetchError("network", `no connection to ${url.hostname}`));
    });
    request.end(body);
  });
}

/** Gives a connection the addresses that were checked, so that the name is not resolved a second time. */
function toPinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = all;
    if (options.all === true) callback(null, all);
    else callback(null, first?.address ?? "", first?.family ?? 0);
  };
}

async function readAnswer(
  response: IncomingMessage,
  { accepts, url, maxBytes }: FetchRequest,
  guardMaxBytes: number,
): Promise<FetchAnswer> {
  const status = response.statusCode ?? 0;
  const kind = toContentKind(response.headers["content-type"]);
  const header = (name: string) => {
    const value = response.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  // The status decides whether a request failed; its body only explains.
  if (status >= 400) {
    const text = await readBody(response, MAX_ERROR_BYTES).catch(() => "");
    return { status, kind, text, header };
  }
  if (!accepts.includes(kind)) {
    response.destroy();
    throw new FetchError(
      "content_type",
      `${url.hostname} answered with ${kind === "html" ? "an HTML page" : "an unexpected content type"}`,
    );
  }
  const text = await readBody(response, maxBytes ?? guardMaxBytes);
  if (kind !== "html" && looksLikeHtml(text)) {
    throw new FetchError("content_type", `${url.hostname} answered with an HTML page`);
  }
  return { status, kind, text, header };
}
