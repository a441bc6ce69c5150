/**
 * Safe fetch: requests to addresses that a server has named, which may be hostile.
 *
 * Only https (http on this machine if the server itself is there), no private addresses, at most 3 redirects, 1 MB, 10 s.
 */
import { lookup } from "node:dns/promises";
import { BlockList, isIPv6 } from "node:net";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const MAX_REDIRECTS = 3;
const MAX_BYTES = 1_024 * 1_024;
const TIMEOUT_MS = 10_000;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** A `fetch` for addresses that the server of this URL has named. */
export function toSafeFetch(server: string): Fetch {
  const isLocal = isLoopbackHost(new URL(server).hostname);
  const privates = toPrivateAddresses();
  const check = async (url: URL): Promise<void> => {
    const isHere = isLoopbackHost(url.hostname);
    const isAllowed = url.protocol === "https:" || (url.protocol === "http:" && isHere && isLocal);
    if (!isAllowed) throw new Error(`${url.origin} is refused: it must be https`);
    if (isHere && isLocal) return;
    const found = await lookup(url.hostname.replaceAll(/[[\]]/g, ""), { all: true });
    if (found.some(({ address }) => privates.check(address, isIPv6(address) ? "ipv6" : "ipv4")))
      throw new Error(`${url.origin} is refused: it is a private address`);
  };
  return async (target, init = {}) => {
    let url = new URL(target);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    for (let redirects = 0; ; redirects++) {
      await check(url);
      const response = await fetch(url, { ...init, redirect: "manual", signal });
      const next = response.headers.get("location");
      if (!REDIRECTS.includes(response.status) || next === null) return bound(response);
      await response.body?.cancel();
      if (redirects === MAX_REDIRECTS) throw new Error(`${url.origin} redirects more than ${MAX_REDIRECTS} times`);
      // What a request carries is for the address it was made for.
      if (init.method === "POST") throw new Error(`${url.origin} redirects a request that carries secrets`);
      url = new URL(next, url);
    }
  };
}

async function bound(response: Response): Promise<Response> {
  const body = await readBody(response);
  const { status, statusText, headers } = response;
  const isEmpty = body.length === 0 || status === 204 || status === 304;
  return new Response(isEmpty ? null : body, { status, statusText, headers });
}

/** The body of an answer; throws if it is larger than 1 MB. */
export async function readBody(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error("the answer is larger than 1 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whether a host of a URL is this machine. */
function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function toPrivateAddresses(): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.168.0.0", 16],
    ["224.0.0.0", 3],
  ] as const)
    list.addSubnet(net, prefix, "ipv4");
  for (const [net, prefix] of [
    ["::", 127],
    ["fc00::", 7],
    ["fe80::", 10],
    ["ff00::", 8],
  ] as const)
    list.addSubnet(net, prefix, "ipv6");
  return list;
}
