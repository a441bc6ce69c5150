/**
 * Given: the fields of an object that have a value.
 *
 * Reads nothing. Read by: whatever passes optional fields on.
 */

/** Leaves out what is undefined. */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
export function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
