/**
 * Advice: whether a question asks what to do with a listing. It gets facts and risks, no instruction and no refusal.
 */
import { foldText } from "../data/directory/words.ts";

const ASKING = [
  "should i",
  "worth buying",
  "worth it",
  "good buy",
  "good investment",
  "buy or sell",
  "time to buy",
  "time to sell",
  "recommend",
  "nen mua",
  "nen ban",
  "co nen",
  "nen dau tu",
  "mua duoc khong",
  "dang mua",
  "khuyen nghi",
];

/** Whether a question asks for advice. */
export function asksForAdvice(question: string): boolean {
  const folded = ` ${foldText(question)} `;
  return ASKING.some((words) => folded.includes(` ${words} `));
}
