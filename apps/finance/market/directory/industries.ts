/**
 * Industries: what people call them, in English or Vietnamese, and which names of sources they mean.
 *
 * A name that the table does not have is compared word by word, so that every industry of every source can be asked for
 * by its own name.
 */
import { toNameKey } from "./sectors.ts";
import { readTable, toNames } from "../tables.ts";

/** One industry as people mean it. */
interface Industry {
  /** FMP's name: what its screener takes. */
  readonly name: string;
  /** Starts of the names that sources use for it, folded. */
  readonly starts: readonly string[];
}

const BY_WORD: ReadonlyMap<string, Industry> = new Map(
  readTable("industries").flatMap(([name = "", words, starts]) => {
    const industry = { name, starts: [toNameKey(name), ...toNames(starts)] };
    return [name, ...toNames(words)].map((word) => [toNameKey(word), industry] as const);
  }),
);

const NAMES: readonly string[] = [...new Set([...BY_WORD.values()].map(({ name }) => name))];

/** FMP's names of the industries a text means: `banks` are two; the text itself if it is not known here. */
export function toIndustries(text: string): readonly string[] {
  const found = NAMES.filter((name) => isIndustry(text, name));
  return found.length === 0 ? [text] : found;
}

/** Whether a source's name is the industry a text means; if that is not known here, whether it has every word of it. */
export function isIndustry(text: string, name: string): boolean {
  const [wanted, own] = [toNameKey(text), toNameKey(name)];
  const industry = BY_WORD.get(wanted);
  if (wanted === own) return true;
  if (industry !== undefined) return industry.starts.some((start) => own.startsWith(start));
  const words = own.split(" ");
  return wanted !== "" && wanted.split(" ").every((word) => words.some((other) => other.startsWith(word)));
}
