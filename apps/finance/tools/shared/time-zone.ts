/**
 * Time zone: whether a name is one of the IANA's, and moments as a zone writes them.
 *
 * The offsets that `Intl` also takes as names have no rules for summer time, so they are not names here.
 */

/** Whether a time zone has this name, such as `Asia/Ho_Chi_Minh`. */
export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** A moment in a time zone, RFC 3339 with its offset. */
export function toLocalTime(ms: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "longOffset",
  });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? "";
  const offset = of("timeZoneName").replace("GMT", "").slice(0, 6);
  const date = `${of("year")}-${of("month")}-${of("day")}`;
  return `${date}T${of("hour")}:${of("minute")}:${of("second")}${offset === "" ? "+00:00" : offset}`;
}
