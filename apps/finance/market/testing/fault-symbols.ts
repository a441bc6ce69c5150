/**
 * Magic symbols: names for which every fake service misbehaves in the same way, whatever it is asked.
 */
import { gzipSync } from "node:zlib";
import type { Reply } from "./fake-server.ts";

const BOMB_BYTES = 64_000_000;
const BIG_BYTES = 20_000_000;

/** Returns the reply to a magic symbol, the same on every service; undefined for any other symbol. */
export function toFaultReply(symbol: string, elsewhere = "http://10.0.0.1/"): Reply | undefined {
  switch (symbol) {
    case "ZZ500":
      return { status: 500, body: "Internal Server Error", headers: { "content-type": "text/plain" } };
    case "ZZSLOW":
      return { body: "", end: "hang" };
    case "ZZHTML":
      return { body: "<!doctype html><p>Please log in</p>", headers: { "content-type": "text/html" } };
    case "ZZHTMLJSON":
      return { body: "<!doctype html><p>Please log in</p>" };
    case "ZZCUT":
      return { body: '[{"symbol":"ZZCUT","price":1', end: "cut" };
    case "ZZBOMB":
      return { body: gzipSync(Buffer.alloc(BOMB_BYTES, " ")), headers: { "content-encoding": "gzip" } };
    case "ZZBIG":
      return { body: `[${" ".repeat(BIG_BYTES)}]` };
    case "ZZTYPE":
      return { body: "[]", headers: { "content-type": "application/octet-stream" } };
    case "ZZJSON":
      return { body: '[{"symbol":"ZZJSON","price":' };
    case "ZZREDIR":
      return toRedirect("http://169.254.169.254/latest/meta-data/");
    case "ZZREDIRHOST":
      return toRedirect(elsewhere);
    case "ZZREDIRFILE":
      return toRedirect("file:///etc/passwd");
    default:
      return undefined;
  }
}

const toRedirect = (location: string): Reply => ({ status: 302, headers: { location }, body: "" });
