/**
 * Address: which network addresses may be reached.
 *
 * Only what is known to be public is: an address that cannot be read, or that carries another address inside (mapped,
 * NAT64, 6to4, Teredo), is not.
 */
import { isIPv4, isIPv6 } from "node:net";

/** Reach of an address. */
export type Reach = "public" | "loopback" | "other";

type Block = readonly [start: string, bits: number];

/** IPv4 blocks that are not public (IANA's special-purpose registry, multicast and the reserved rest). */
const SPECIAL_V4: readonly Block[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** A public address that serves a cloud's metadata and internal services. */
const METADATA_V4: readonly Block[] = [["168.63.129.16", 32]];

/** Blocks within 2000::/3 that are not public; nothing outside of it is public either. */
const SPECIAL_V6: readonly Block[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
];

/** Reads an address in its plain spelling and says how far it reaches. */
export function reachOf(address: string): Reach {
  if (isIPv4(address)) return reachOfV4(address);
  if (!isIPv6(address) || address.includes("%")) return "other";
  const groups = toGroups(address);
  if (groups === undefined) return "other";
  if (groups.join(":") === "0:0:0:0:0:0:0:1") return "loopback";
  if (!isWithin(groups, ["2000::", 3])) return "other";
  return SPECIAL_V6.some((block) => isWithin(groups, block)) ? "other" : "public";
}

/** Whether a URL's host is this machine by its own words: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || reachOf(toBare(hostname)) === "loopback";
}

/** A URL's host without the brackets of IPv6. */
export function toBare(hostname: string): string {
  return hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
}

function reachOfV4(address: string): Reach {
  const value = toV4(address);
  const isIn = ([start, bits]: Block) =>
    Math.floor(value / 2 ** (32 - bits)) === Math.floor(toV4(start) / 2 ** (32 - bits));
  if (isIn(["127.0.0.0", 8])) return "loopback";
  return [...SPECIAL_V4, ...METADATA_V4].some(isIn) ? "other" : "public";
}

const toV4 = (address: string): number => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);

function isWithin(groups: readonly number[], [start, bits]: Block): boolean {
  const first = toGroups(start) ?? [];
  return groups.every((group, index) => {
    const open = Math.min(16, Math.max(0, 16 * (index + 1) - bits));
    return group >> open === (first[index] ?? 0) >> open;
  });
}

/** The eight groups of an IPv6 address; undefined if it ends like an IPv4 address. */
function toGroups(address: string): readonly number[] | undefined {
  if (address.includes(".")) return undefined;
  const [head = "", tail] = address.split("::");
  const toNumbers = (text: string) =>
    text.split(":").flatMap((part) => (part === "" ? [] : [Number.parseInt(part, 16)]));
  const before = toNumbers(head);
  const after = toNumbers(tail ?? "");
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
}
