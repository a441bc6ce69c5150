/**
 * Pictures: the smallest files that are what they say, as base64.
 */

const PNG = "89504e470d0a1a0a0000000d49484452";
const JPEG = "ffd8ffe000104a464946";
const WEBP = "524946460a00000057454250565038";
const GIF = "474946383961";

const toBase64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64");

/** By media type. */
export const PICTURES = {
  "image/png": toBase64(PNG),
  "image/jpeg": toBase64(JPEG),
  "image/webp": toBase64(WEBP),
} as const;

/** A picture that no route takes. */
export const GIF_PICTURE = toBase64(GIF);
