/**
 * Pictures: what people send, read from their platform, at most 5 MB each.
 */
import { isIP } from "node:net";
import { lookup } from "node:dns/promises";
import type { Image } from "@baton/core";
import { z } from "zod";
import type { BotParts } from "../parts.ts";
import type { PhotoRef } from "../platform/update.ts";

const MAX_BYTES = 5 * 1_024 * 1_024;
const FILE = z.object({ file_path: z.string().regex(/^[\w./-]+$/) });

/** Reads pictures; undefined stands for one that could not be read. */
export function readPictures(parts: BotParts, photos: readonly PhotoRef[]): Promise<readonly (Image | undefined)[]> {
  return Promise.all(photos.map((photo) => readPicture(parts, photo)));
}

async function readPicture(
  { client, platform, config }: BotParts,
  { ref, bytes = 0 }: PhotoRef,
): Promise<Image | undefined> {
  if (bytes > MAX_BYTES) return undefined;
  if (!platform.isRich)
    return toImage((await isAllowed(ref, config.apiUrl)) ? await client.fetchBytes(ref, MAX_BYTES) : undefined);
  const outcome = await client.call("getFile", { file_id: ref });
  const { data } = FILE.safeParse(outcome.type === "done" ? outcome.result : undefined);
  return data === undefined ? undefined : toImage(await client.download(data.file_path, MAX_BYTES));
}

/** https on a public address, or the origin of the platform itself. */
async function isAllowed(address: string, apiUrl: string): Promise<boolean> {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, origin } = new URL(address);
  if (origin === new URL(apiUrl).origin) return true;
  if (protocol !== "https:") return false;
  const plain = hostname.replace(/^\[|\]$/g, "");
  const found = isIP(plain) === 0 ? await lookup(plain, { all: true }).catch(() => []) : [{ address: plain }];
  return found.length > 0 && found.every((one) => isPublic(one.address));
}

const PRIVATE = [
  /^0\./,
  /^10\./,
  /^127\./,
  /^169\.254\./,
  /^172\.(1[6-9]|2\d|3[01])\./,
  /^192\.168\./,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^22[4-9]\./,
  /^2[34]\d\./,
  /^25\d\./,
];

function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !PRIVATE.some((range) => range.test(address));
  const low = address.toLowerCase();
  const mapped = low.startsWith("::ffff:") ? low.slice(7) : undefined;
  if (mapped !== undefined) return isIP(mapped) === 4 && isPublic(mapped);
  return !(
    low === "::" ||
    low === "::1" ||
    low.startsWith("fc") ||
    low.startsWith("fd") ||
    low.startsWith("fe") ||
    low.startsWith("ff")
  );
}

const TYPES: readonly (readonly [mediaType: string, magic: readonly number[]])[] = [
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/webp", [0x52, 0x49, 0x46, 0x46]],
];

function toImage(bytes: Uint8Array | undefined): Image | undefined {
  if (bytes === undefined) return undefined;
  const mediaType = TYPES.find(([, magic]) => magic.every((byte, at) => bytes[at] === byte))?.[0];
  return mediaType === undefined ? undefined : { mediaType, data: Buffer.from(bytes).toString("base64") };
}
