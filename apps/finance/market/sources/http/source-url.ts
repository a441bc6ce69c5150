/**
 * Source URL: a source's base URL checked, its requests' URLs, and text without its key.
 */
import { MarketError } from "../../port/market-error.ts";
import { isLoopbackHost } from "./address.ts";

/** A shorter text occurs in ordinary words too, and is not a key of any service. */
const MIN_KEY_LENGTH = 6;

/** Query parameters; an undefined one is left out. */
export type Parameters = Readonly<Record<string, string | number | undefined>>;

type Base = Readonly<{ baseUrl: string; setting: string; hasKey: boolean }>;

/** The base URL, or a `MarketError` that names the setting it came from. */
export function toBaseUrl({ baseUrl, setting, hasKey }: Base): URL {
  const refuse = (why: string) => new MarketError("not_configured", `${setting} ${why}`, { enable: setting });
  const url = URL.parse(baseUrl);
  if (url === null) throw refuse("is not a URL");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw refuse("must begin with https://");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw refuse("must be a host and a path alone, without user name, password, query or fragment");
  }
  if (hasKey && url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    throw refuse("must begin with https://, because a key is sent to it");
  }
  return url;
}

/** The URL of one request under a base. */
export function toUrl(base: URL, { path, query = {} }: Readonly<{ path: string; query?: Parameters }>): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.endsWith("/") ? base.pathname.slice(0, -1) : base.pathname}${path}`;
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, `${value}`);
  return url;
}

/** Text in which a key does not appear. */
export function redact(text: string, key: string | undefined): string {
  if (key === undefined || key.length < MIN_KEY_LENGTH) return text;
  return text.replaceAll(key, "[key]").replaceAll(encodeURIComponent(key), "[key]");
}

/** The beginning of a text from outside, on one line, for an error message. */
export function toExcerpt(text: string): string {
  const line = Array.from(text.slice(0, 400), (sign) => (sign < " " ? " " : sign)).join("");
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
