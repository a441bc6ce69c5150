/**
 * Time zone: whether a name is one of the IANA's; the offsets that `Intl` also takes have no rules for summer time.
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
