/**
 * Time zone: the name of a zone that a text means, by its name, its offset from UTC or one of its cities.
 */
import { toBare } from "./token.ts";

/** Cities that zones are not named after. */
const CITIES: ReadonlyMap<string, string> = new Map([
  ["hanoi", "Asia/Ho_Chi_Minh"],
  ["ha noi", "Asia/Ho_Chi_Minh"],
  ["saigon", "Asia/Ho_Chi_Minh"],
  ["sai gon", "Asia/Ho_Chi_Minh"],
  ["ho chi minh", "Asia/Ho_Chi_Minh"],
  ["ho chi minh city", "Asia/Ho_Chi_Minh"],
  ["tp hcm", "Asia/Ho_Chi_Minh"],
  ["viet nam", "Asia/Ho_Chi_Minh"],
  ["vietnam", "Asia/Ho_Chi_Minh"],
  ["da nang", "Asia/Ho_Chi_Minh"],
  ["beijing", "Asia/Shanghai"],
  ["mumbai", "Asia/Kolkata"],
  ["delhi", "Asia/Kolkata"],
  ["san francisco", "America/Los_Angeles"],
  ["seattle", "America/Los_Angeles"],
  ["boston", "America/New_York"],
  ["washington", "America/New_York"],
  ["miami", "America/New_York"],
  ["eastern", "America/New_York"],
  ["central", "America/Chicago"],
  ["mountain", "America/Denver"],
  ["pacific", "America/Los_Angeles"],
  ["est", "America/New_York"],
  ["et", "America/New_York"],
  ["pst", "America/Los_Angeles"],
  ["pt", "America/Los_Angeles"],
  ["cst", "America/Chicago"],
  ["cet", "Europe/Berlin"],
  ["gmt", "UTC"],
  ["utc", "UTC"],
]);
const OFFSET = /^(?:utc|gmt)\s?([+-])(\d{1,2})(?::?(00|30|45))?$/;
const MAX_CHARS = 60;

/** The zone that is meant; undefined if it is not known. */
export function toTimeZone(text: string): string | undefined {
  const name = text.trim().slice(0, MAX_CHARS);
  const plain = toBare(name)
    .replaceAll("_", " ")
    .replace(/\s+(?:time|time zone|timezone)$/, "")
    .trim();
  const city = CITIES.get(plain);
  if (city !== undefined) return city;
  const offset = OFFSET.exec(plain);
  if (offset !== null && Number(offset[2]) <= 14) {
    return `${offset[1]}${(offset[2] ?? "").padStart(2, "0")}:${offset[3] ?? "00"}`;
  }
  if (name.includes("/")) return toKnown(name.replaceAll(" ", "_"));
  const zone = Intl.supportedValuesOf("timeZone").find(
    (one) => toBare(one.slice(one.lastIndexOf("/") + 1)).replaceAll("_", " ") === plain,
  );
  return zone;
}

function toKnown(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
