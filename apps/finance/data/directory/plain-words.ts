/**
 * Plain words: ordinary words of English and Vietnamese that are also tickers, names, or one letter off a name.
 */

/** Whether a folded word is an ordinary word rather than a name. */
export function isPlainWord(key: string): boolean {
  return PLAIN.has(key);
}

const PLAIN: ReadonlySet<string> = new Set([]);
