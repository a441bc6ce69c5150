/**
 * Rows: what the answers of market-data services are made of, read once at the edge.
 *
 * null and "" are absent, never 0; a number may come as a string; unknown fields stay; all else that does not fit is an
 * `upstream` error.
 */
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import { MarketError } from "../port/market-error.ts";
import { toDay } from "./eastern.ts";

const PLAIN_NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;

const toAbsent = (value: unknown): unknown => (value === null || value === "" ? undefined : value);

const toNumber = (value: unknown): unknown =>
  typeof value === "string" && PLAIN_NUMBER.test(value) ? Number(value) : toAbsent(value);

/** A finite number, or absent. */
export const Num = z.preprocess(toNumber, z.number().optional()).optional();

/** A finite number that must be there. */
export const RequiredNum = z.preprocess(toNumber, z.number());

/** Text, or absent. */
export const Text = z.preprocess(toAbsent, z.string().optional()).optional();

/** A day, YYYY-MM-DD, or absent. */
export const DayText = Text.transform((text) => toDay(text));

/** Parses JSON text with a schema. */
export function parseAnswer<T>(source: string, schema: z.ZodType<T>, text: string): T {
  const json = parseJson(text);
  if (json === undefined) throw new MarketError("upstream", `${source} answered with broken JSON`);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const place = parsed.error.issues[0]?.path.join(".").slice(0, 100) ?? "";
  throw new MarketError("upstream", `${source} answered in an unexpected shape${place === "" ? "" : ` (at ${place})`}`);
}

/** Untrusted text for people: on one line, bounded. */
export function toLine(text: string, maxChars: number): string {
  const line = Array.from(text.slice(0, maxChars * 2), (sign) => (isControl(sign) ? " " : sign)).join("");
  const tidy = line.split(" ").filter(Boolean).join(" ");
  return tidy.length > maxChars ? `${tidy.slice(0, maxChars - 1).toWellFormed()}…` : tidy.toWellFormed();
}

/** A link of a web page, or undefined. */
export function toLink(text: string | undefined): string | undefined {
  const url = text === undefined || text.length > 2_000 ? null : URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  return url.username === "" && url.password === "" ? url.href : undefined;
}

function isControl(sign: string): boolean {
  const code = sign.codePointAt(0) ?? 0;
  const isBidi = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return code < 32 || (code >= 127 && code < 160) || code === 0x2028 || code === 0x2029 || isBidi;
}
