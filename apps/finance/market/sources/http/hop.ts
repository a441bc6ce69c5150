/**
 * Hop: one request of a fetch as it goes out, and the rules by which a redirect becomes the next one.
 *
 * What a caller set goes to the origin it was set for. Another origin gets only what says how to answer; https never
 * becomes http, and a body never goes to another origin.
 */
import { FetchError } from "./fetch-error.ts";
import { isLoopbackHost } from "./address.ts";

/** One request. Header names are in lower case. */
export interface Hop {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** Headers with credentials: for this origin only. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Headers that may follow a redirect to another origin. */
const HARMLESS: ReadonlySet<string> = new Set(["accept", "accept-encoding", "accept-language", "user-agent"]);

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether a status sends the request elsewhere. */
export const isRedirect = (status: number): boolean => REDIRECTS.has(status);

/** Refuses what must not go out: another scheme, names and passwords in the URL, keys over plain http. */
export function checkHop({ url, secrets }: Hop): void {
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new FetchError("refused", `only http and https are fetched, not ${url.protocol.slice(0, 20)}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new FetchError("refused", `the URL for ${url.hostname} holds a user name or password; remove it`);
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname) && Object.keys(secrets).length > 0) {
    throw new FetchError("refused", `no key is sent over plain http to ${url.hostname}; use https`);
  }
}

/** The request that a redirect asks for. */
export function toNextHop(hop: Hop, status: number, location: string | undefined): Hop {
  const url = toTarget(hop.url, location);
  if (hop.url.protocol === "https:" && url.protocol !== "https:") {
    throw new FetchError("refused", `${hop.url.hostname} redirects from https to ${url.protocol.slice(0, 20)}`);
  }
  const isSameOrigin = url.origin === hop.url.origin;
  const headers = isSameOrigin ? hop.headers : pick(hop.headers, (name) => HARMLESS.has(name));
  const secrets = isSameOrigin ? hop.secrets : {};
  const keepsMethod = hop.method === "GET" || status === 307 || status === 308;
  if (!keepsMethod) return { url, method: "GET", headers: pick(headers, (name) => name !== "content-type"), secrets };
  if (hop.body === undefined) return { url, method: hop.method, headers, secrets };
  if (!isSameOrigin) throw new FetchError("refused", `${hop.url.hostname} redirects what was posted to another host`);
  return { url, method: hop.method, headers, secrets, body: hop.body };
}

function toTarget(from: URL, location: string | undefined): URL {
  const url = location === undefined ? null : URL.parse(location, from);
  if (url === null) throw new FetchError("refused", `${from.hostname} redirects to nowhere`);
  url.hash = "";
  return url;
}

function pick(
  headers: Readonly<Record<string, string>>,
  isKept: (name: string) => boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)));
}
