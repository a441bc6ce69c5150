/**
 * Image: a picture in a request, checked by its own bytes before anything runs.
 *
 * It is a png, jpeg or webp of at most 5 MB. Its bytes decide its media type, whatever the client says. Addresses are
 * refused: the server fetches nothing, so it could not check what is there.
 */
import type { Image } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { boundedArray, text } from "./text.ts";

/** The most images of one message. */
export const MAX_IMAGES = 4;
const MAX_MEGABYTES = 5;
const MAX_BYTES = MAX_MEGABYTES * 1_024 * 1_024;
const MAX_ALT_CHARS = 1_000;
const CHARS_PER_GROUP = 4;
const BYTES_PER_GROUP = 3;

/** The client's media type. The bytes decide; this is only checked for its length. */
export const MEDIA_TYPE = z.string().max(256);

/** The data of a picture: base64, or a data URL with base64. */
export const IMAGE_DATA = z
  .string()
  .meta({ description: "A png, jpeg or webp of at most 5 MB, as base64 or as data:image/TYPE;base64,DATA" })
  .transform((data, context): Image => {
    const image = parseImage(data);
    if (typeof image !== "string") return image;
    context.addIssue(image);
    return z.NEVER;
  });

/** The pictures of a request that lists them. */
export const IMAGES = boundedArray(
  z
    .object({
      data: IMAGE_DATA,
      media_type: MEDIA_TYPE.optional(),
      alt_text: text({ maxChars: MAX_ALT_CHARS }).optional(),
      /** Media types by the first characters of `data`. */
      source: z.enum(["base64", "data_url"]).optional(),
    })
    .transform(({ data, alt_text: altText }): Image => ({ ...data, ...omitUndefined({ altText }) })),
  MAX_IMAGES,
);

const HEAD_CHARS = 128;
const DATA_URL = /^data:[^,]{0,100};base64,/i;

/** The picture, or what is wrong with it. */
function parseImage(data: string): Image | string {
  const [head = ""] = DATA_URL.exec(data.slice(0, HEAD_CHARS)) ?? [];
  if (head === "" && data.includes(":")) {
    return "must be base64, or data:image/TYPE;base64,DATA: URLs are not fetched";
  }
  const base64 = data.slice(head.length);
  const bytes = (base64.length / CHARS_PER_GROUP) * BYTES_PER_GROUP;
  // Up to two characters are padding and encode no bytes.
  if (bytes - 2 > MAX_BYTES) return `is larger than ${MAX_MEGABYTES} MB: send a smaller picture`;
  const decoded = Buffer.from(base64, "base64");
  if (decoded.length > MAX_BYTES) return `is larger than ${MAX_MEGABYTES} MB: send a smaller picture`;
  // Node passes over what is not base64, so only the way back shows it.
  if (withoutPadding(decoded.toString("base64")) !== withoutPadding(base64)) {
    return "is not base64: remove spaces, line breaks and other characters";
  }
  const mediaType = toMediaType(decoded);
  if (mediaType === undefined) return "is not a png, jpeg or webp picture: its first bytes are those of another format";
  return { mediaType, data: decoded.toString("base64") };
}

function withoutPadding(base64: string): string {
  if (base64.endsWith("==")) return base64.slice(0, -2);
  return base64.endsWith("=") ? base64.slice(0, -1) : base64;
}

/** Bytes at a place by which a format is known. */
type Mark = readonly [at: number, bytes: string];

const FORMATS: readonly (readonly [mediaType: string, marks: readonly Mark[]])[] = [
  ["image/png", [[0, "\x89PNG\r\n\x1A\n"]]],
  ["image/jpeg", [[0, "\xFF\xD8\xFF"]]],
  [
    "image/webp",
    [
      [0, "RIFF"],
      [8, "WEBP"],
    ],
  ],
];

function toMediaType(bytes: Buffer): string | undefined {
  const has = ([at, mark]: Mark) => bytes.toString("latin1", at, at + mark.length) === mark;
  return FORMATS.find(([, marks]) => marks.every(has))?.[0];
}
