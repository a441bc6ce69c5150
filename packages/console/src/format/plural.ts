/**
 * Plural: a count with its noun, in English; Vietnamese nouns have one form.
 */
const RULES = new Intl.PluralRules("en");

/** `1 field`, `2 fields`. */
export function plural(count: number, one: string, other = `${one}s`): string {
  return `${count} ${RULES.select(count) === "one" ? one : other}`;
}
