/**
 * Names: how columns hold ids, owners and keys.
 *
 * Postgres stores neither NUL nor half a surrogate pair. Bodies are JSON, which escapes both; names are escaped as JSON
 * escapes them, so that different names stay different.
 */

/** A name as a column holds it. */
export function toName(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The name in a column; a damaged one stands for itself. */
export function parseName(column: string): string {
  try {
    return String(JSON.parse(`"${column}"`));
  } catch {
    return column;
  }
}

/** A name that may be missing. */
export function orNull(name: string | undefined): string | null {
  return name === undefined ? null : toName(name);
}

/** A text in which others are found whatever their case; what Postgres cannot store becomes one and the same character. */
export function toSearch(text: string): string {
  return text.toLowerCase().replaceAll("\0", "\uFFFD").toWellFormed();
}
