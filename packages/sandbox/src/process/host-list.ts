/**
 * Host list: the hosts that a tool may reach, and addresses that only an entry of their own opens.
 */
import { BlockList, isIP } from "node:net";

/** A host and port that a tool asks for. */
export interface HostTarget {
  /** A name in lower case, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORT = 443;

/** Addresses of this machine, of private networks, and those that stand for one; `::ffff:a.b.c.d` is checked as a.b.c.d. */
const CLOSED: readonly (readonly [network: string, prefix: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

/** Reads `name[:port]`, `*.name[:port]` or address:port; undefined if it is something else. */
export function parseHost(text: string, fallback = DEFAULT_PORT): HostTarget | undefined {
  const at = text.startsWith("[") ? text.indexOf("]:") + 1 : text.lastIndexOf(":");
  const hasPort = at > 0 && (text.startsWith("[") || text.indexOf(":") === at);
  const port = hasPort ? toPort(text.slice(at + 1)) : fallback;
  const written = hasPort ? text.slice(0, at) : text;
  const host = written.startsWith("[") && written.endsWith("]") ? written.slice(1, -1) : written;
  if (port === undefined || (written !== host && isIP(host) !== 6) || (written === host && isIP(host) === 6)) {
    return undefined;
  }
  if (isIP(host) !== 0) return { host: host.toLowerCase(), port };
  const name = host.endsWith(".") ? host.slice(0, -1).toLowerCase() : host.toLowerCase();
  return isName(name.startsWith("*.") ? name.slice(2) : name) ? { host: name, port } : undefined;
}

/** Reads an entry of `hosts`: an address needs its port. */
export function parseEntry(text: string): HostTarget | undefined {
  const entry = parseHost(text);
  if (entry === undefined || isIP(entry.host) === 0) return entry;
  return parseHost(text, 0)?.port === 0 ? undefined : entry;
}

/** Whether an entry is for this target. */
export function matchesHost({ host, port }: HostTarget, target: HostTarget): boolean {
  if (port !== target.port) return false;
  if (!host.startsWith("*.")) return host === target.host;
  return isIP(target.host) === 0 && target.host.endsWith(host.slice(1)) && target.host.length > host.length - 1;
}

/** Whether an address is everybody's: neither this machine's nor a private network's. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !BLOCKED.check(address, family === 4 ? "ipv4" : "ipv6");
}

function toPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** Letters, digits and hyphens in labels; the last is no number, which would be an address written in another way. */
function isName(name: string): boolean {
  const labels = name.split(".");
  const isLabel = (label: string): boolean => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label);
  const last = labels.at(-1) ?? "";
  return name.length <= 253 && labels.every(isLabel) && !/^(?:\d+|0x[\da-f]*)$/.test(last);
}

function toBlocked(): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of CLOSED) list.addSubnet(network, prefix, network.includes(":") ? "ipv6" : "ipv4");
  return list;
}

const BLOCKED = toBlocked();
