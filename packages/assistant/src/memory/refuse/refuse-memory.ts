/**
 * Refuse memory: what must never be remembered: secrets, and orders to a model.
 */
import { hasInjection } from "./injection.ts";
import { hasAccessKey, hasCardNumber, hasPassword, hasPrivateKey } from "./secret.ts";

const MARKS = /\p{M}+/gu;
/** Characters that show nothing, by which words could be hidden. */
const UNSEEN = /[\p{Cf}\p{DI}]/gu;

/** Why a text must not be remembered; undefined if it may. */
export function refuseMemory(text: string): string | undefined {
  const seen = text.normalize("NFKC").replace(UNSEEN, "");
  const folded = seen.normalize("NFD").replace(MARKS, "").toLowerCase().replaceAll("đ", "d");
  if (hasPrivateKey(seen)) return "it holds a private key";
  if (hasCardNumber(seen)) return "it holds a card number";
  if (hasPassword(folded)) return "it holds a password or another secret";
  if (hasAccessKey(seen)) return "it holds an access key or token";
  if (hasInjection(folded)) return "it gives instructions to the assistant instead of saying something about you";
  return undefined;
}
