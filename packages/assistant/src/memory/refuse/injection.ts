/**
 * Injection: whether a text has a phrase that gives orders to a model instead of saying something about the user.
 *
 * A written list of phrases in English and Vietnamese; `*` is up to three words. Texts that are remembered are quoted as
 * data in any case: this keeps the plainest of them out.
 */

const WORD = /[\p{L}\p{N}]+/gu;
const MAX_BETWEEN = 3;

const ALTERNATIVES: ReadonlyMap<string, readonly string[]> = new Map(
  [
    "IGNORE: ignore disregard forget override bypass",
    "RULES: instruction instructions prompt rules guidelines",
    "REVEAL: reveal print show repeat leak",
    "BO_QUA: bo phot lo quen",
    "LUAT: chi huong quy menh lenh prompt",
  ].map((line) => {
    const [name = "", words = ""] = line.split(": ");
    return [name, words.split(" ")] as const;
  }),
);

/** Folded: no marks, lower case. */
const PHRASES: readonly (readonly string[])[] = `
IGNORE * previous * RULES
IGNORE * RULES * above
IGNORE all RULES
IGNORE your * RULES
IGNORE * system RULES
BO_QUA * tat ca * LUAT
BO_QUA * moi LUAT
BO_QUA * LUAT * truoc
BO_QUA * LUAT * he thong
BO_QUA * cac LUAT
REVEAL * system prompt
REVEAL your RULES
tiet lo * loi nhac
loi nhac he thong
not tell the user
never tell the user
dung noi * nguoi dung
khong noi * nguoi dung
you are now
you must now
from now on you
pretend you are
new instructions
developer mode
bay gio ban
tu gio ban
hay dong vai
chi dan moi`
  .trim()
  .split("\n")
  .map((line) => line.split(" "));

/** Marks that models read as the beginning of another speaker's words. */
const MARKUP = ["<|im_start|>", "<|im_end|>", "<|system|>", "<|user|>", "[inst]", "<<sys>>", "<system>", "### system"];
const SPEAKERS = ["system", "assistant", "developer", "he thong"];

/** Whether the text gives orders; `folded` is without marks and in lower case. */
export function hasInjection(folded: string): boolean {
  if (MARKUP.some((mark) => folded.includes(mark)) || folded.split("\n").some(isLabelled)) return true;
  const words = folded.match(WORD) ?? [];
  return words.some((_, at) => PHRASES.some((phrase) => isPhraseAt(words, at, phrase)));
}

function isPhraseAt(words: readonly string[], at: number, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  if (first !== "*") {
    const word = words[at] ?? "";
    return (ALTERNATIVES.get(first) ?? [first]).includes(word) && isPhraseAt(words, at + 1, rest);
  }
  for (let skipped = 0; skipped <= MAX_BETWEEN; skipped += 1) {
    if (isPhraseAt(words, at + skipped, rest)) return true;
  }
  return false;
}

/** A line that begins like a turn of a conversation: `system: …`. */
const isLabelled = (line: string): boolean =>
  line.includes(":") && SPEAKERS.includes(line.slice(0, 24).split(":", 1)[0]?.trim() ?? "");
