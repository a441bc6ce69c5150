/**
 * Host check: refuses requests that were not meant for this server, and those that a foreign page makes in a user's browser.
 *
 * A page that points its own name at this machine is refused by its Host; one that simply calls, by its Origin or by
 * what the browser says of the fetch. Hosts are the bound address, loopback names and those configured; without a
 * port any port is meant.
 */
import { BlockList, isIP } from "node:net";
import { BatonError } from "@baton/core";
import { Problem } from "./problem.ts";

/** The names of the server, and the origins whose pages may use it. */
export interface HostOptions {
  /** The address the server listens on; undefined if it has none, and then any host is allowed unless some are named. */
  readonly bound: string | undefined;
  /** Further names, `name` or `name:port`. */
  readonly allowedHosts: readonly string[];
  /** Pages of other origins that may call (CORS), as `https://name[:port]`. */
  readonly origins: readonly string[];
}

/** The headers of a request that are checked. */
export interface RequestSource {
  /** All `Host` headers there are. */
  readonly hosts: readonly string[];
  /** The authority of a target in absolute form. */
  readonly target?: string | undefined;
  readonly origin?: string | undefined;
  /** `Sec-Fetch-Site`. */
  readonly site?: string | undefined;
}

/** A name with a port, comparable. */
interface Authority {
  /** In lower case, without a trailing dot; IPv6 in brackets, in its shortest form. */
  readonly name: string;
  readonly port: number | undefined;
}

const AUTHORITY = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_.-]{1,254})(?::([0-9]{0,5}))?$/i;
const ORIGIN = /^(https?):\/\/([^/]{1,300})$/i;
const LOOPBACK = loopback();

/** The hosts and origins that are let in. */
export class HostCheck {
  readonly #hosts: readonly Authority[];
  readonly #origins: ReadonlySet<string>;
  readonly #isAnyAllowed: boolean;

  constructor({ bound, allowedHosts, origins }: HostOptions) {
    const own = bound === undefined ? [] : [isIP(bound) === 6 ? `[${bound}]` : bound];
    this.#hosts = [...own, ...allowedHosts].map(toAuthority);
    this.#isAnyAllowed = this.#hosts.length === 0;
    this.#origins = new Set(origins.map((origin) => parseOrigin(origin) ?? refuse(origin)));
  }

  /** Throws if the request was sent to a host that is not allowed. */
  checkHost({ hosts, target }: RequestSource): void {
    checkCount(hosts);
    if (hosts[0] === undefined) throw invalidHost("The request has no Host header.");
    for (const text of target === undefined ? hosts : [...hosts, target]) {
      if (!this.#isAllowed(parseAuthority(text))) throw hostNotAllowed();
    }
  }

  /** Throws if the page's origin is not allowed; returns the origin if the answer needs CORS headers. */
  checkOrigin(caller: RequestSource): string | undefined {
    const { origin, site, hosts } = caller;
    checkCount(hosts);
    if (origin === undefined) {
      if (site === undefined || site === "same-origin" || site === "none") return undefined;
      throw originNotAllowed();
    }
    const known = parseOrigin(origin);
    if (known !== undefined && this.#origins.has(known)) return origin;
    const host = parseAuthority(caller.target ?? hosts[0] ?? "");
    if (known !== undefined && this.#isAllowed(host) && originsOf(host).includes(known)) return undefined;
    throw originNotAllowed();
  }

  #isAllowed(host: Authority | undefined): host is Authority {
    if (host === undefined) return false;
    if (this.#isAnyAllowed || isLoopback(host.name)) return true;
    return this.#hosts.some(({ name, port }) => name === host.name && (port === undefined || port === host.port));
  }
}

/** Whether the request names this machine by a loopback name, as only a client on this machine has reason to. */
export function isForLoopback({ hosts, target }: RequestSource): boolean {
  const names = target === undefined ? hosts : [...hosts, target];
  return names.length > 0 && names.every((text) => isLoopback(parseAuthority(text)?.name ?? ""));
}

/** The configured hosts that are not loopback names. */
export function hostsBeyondLoopback(allowedHosts: readonly string[]): readonly string[] {
  return allowedHosts.filter((host) => !isForLoopback({ hosts: [host] }));
}

/** Whether it can be an allowed host: `name` or `name:port`. */
export function isHost(text: string): boolean {
  return parseAuthority(text) !== undefined;
}

/** Whether it can be an origin: `https://name` or `https://name:port`. */
export function isOrigin(text: string): boolean {
  return parseOrigin(text) !== undefined;
}

/** Whether an address or name can only be this machine: 127.0.0.0/8, ::1 and `localhost`. */
export function isLoopback(name: string): boolean {
  const address = name.startsWith("[") ? name.slice(1, -1) : name;
  const version = isIP(address);
  if (version === 0) return address.toLowerCase() === "localhost";
  return version === 4 ? address.startsWith("127.") : LOOPBACK.check(address, "ipv6");
}

function loopback(): BlockList {
  const list = new BlockList();
  list.addSubnet("127.0.0.0", 8, "ipv4");
  list.addAddress("::1", "ipv6");
  return list;
}

function toAuthority(text: string): Authority {
  return parseAuthority(text) ?? refuse(text);
}

function parseAuthority(text: string): Authority | undefined {
  const [, rawName = "", rawPort = ""] = AUTHORITY.exec(text) ?? [];
  const port = rawPort === "" ? undefined : Number(rawPort);
  if (rawName === "" || (port !== undefined && port > 65_535)) return undefined;
  if (!rawName.startsWith("[")) return { name: rawName.toLowerCase().replace(/\.$/, ""), port };
  return URL.canParse(`http://${rawName}`) ? { name: new URL(`http://${rawName}`).hostname, port } : undefined;
}

/** Comparable: with its port, whether it was said or not. */
function parseOrigin(text: string): string | undefined {
  const [, scheme = "", rest = ""] = ORIGIN.exec(text) ?? [];
  const authority = parseAuthority(rest);
  return authority === undefined ? undefined : toOrigin(scheme.toLowerCase(), authority);
}

/** The origins of pages from this host: whether a proxy speaks TLS for it is not known. */
function originsOf(host: Authority): readonly string[] {
  return ["http", "https"].map((scheme) => toOrigin(scheme, host));
}

function toOrigin(scheme: string, { name, port }: Authority): string {
  return `${scheme}://${name}:${port ?? (scheme === "https" ? 443 : 80)}`;
}

function checkCount(hosts: readonly string[]): void {
  if (hosts.length > 1) throw invalidHost("The request has more than one Host header.");
}

function invalidHost(detail: string): Problem {
  return new Problem("invalid_request", detail, { problems: [{ field: "Host", message: "must be given once" }] });
}

function hostNotAllowed(): Problem {
  return new Problem(
    "host_not_allowed",
    "This server does not answer to that Host. Add it to `allowed_hosts`: start with --allowed-host NAME, or `allowedHosts` in code.",
  );
}

/** The answer to a request to another name while nothing says who may call. */
export function onlyLoopback(): Problem {
  return new Problem(
    "host_not_allowed",
    "Without an API key only requests to localhost are answered. Pass `identify` to `baton.handler`, or create a key.",
  );
}

function originNotAllowed(): Problem {
  return new Problem(
    "origin_not_allowed",
    "Pages from that Origin may not use this server. Add it to `origins`: start with --origin ORIGIN, or `origins` in code.",
  );
}

function refuse(text: string): never {
  throw new BatonError(
    "invalid",
    `${text} is not a valid host or origin: write a host as name or name:port, an origin as https://name`,
  );
}
