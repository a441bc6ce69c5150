/**
 * Format: whether a text is a date, a time, an address or an id, as JSON Schema's `format` means it.
 *
 * Every check reads a text once and refuses a long one, whatever is in it.
 */

/** The longest URI that is read; the other formats are far shorter. */
const MAX_LENGTH = 8_192;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,18})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/i;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const URI = /^[a-z][a-z0-9+.-]*:[\w:/?#[\]@!$&'()*+,;=.~%-]+$/i;

const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", isDate],
  ["date-time", isDateTime],
  ["time", (text) => TIME.test(text)],
  ["email", isEmail],
  ["uri", (text) => URI.test(text) && !/%(?![0-9a-f]{2})/i.test(text) && URL.canParse(text)],
  ["uuid", (text) => UUID.test(text)],
]);

/** The formats that are checked. */
export const FORMAT_NAMES: readonly string[] = [...FORMATS.keys()];

/** Whether a text has a format; any text has one that is not checked. */
export function isOfFormat(text: string, format: string): boolean {
  const fits = FORMATS.get(format);
  return fits === undefined || (text.length <= MAX_LENGTH && fits(text));
}

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}

function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^[t ]$/i.test(text.charAt(10)) && TIME.test(text.slice(11));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (!LOCAL.test(local) || `.${local}.`.includes("..") || domain.length > 255) return false;
  return domain.includes(".") && domain.split(".").every((label) => LABEL.test(label));
}
