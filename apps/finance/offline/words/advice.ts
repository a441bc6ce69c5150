/**
 * Advice: whether a question asks what to do with a listing. It gets facts and risks, no instruction and no refusal.
 */
import { hasAny, toSearchText } from "./search-text.ts";

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
export const asksForAdvice = (question: string): boolean => hasAny(toSearchText(question), ASKING);
