/**
 * Injection: whether a text tries to give orders to a model instead of saying something about the user.
 *
 * By verbs near objects, so that the order and number of words between them do not matter; English and Vietnamese.
 */

const WORD = /[\p{L}\p{N}]+/gu;
/** The most words between a verb and its object. */
const REACH = 7;

interface Order {
  readonly verbs: ReadonlySet<string>;
  readonly objects: ReadonlySet<string>;
  /** At least one of these is beside them. */
  readonly marks?: ReadonlySet<string>;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Folded: no marks, lower case, syllables of Vietnamese joined by `_`. */
const ORDERS: readonly Order[] = [
  {
    verbs: set(
      "ignore ignores ignoring disregard disregarding forget override overrule bypass neglect skip drop discard",
    ),
    objects: set(
      "instruction instructions prompt prompts rule rules guideline guidelines directive directives policy policies",
    ),
    marks: set(
      "previous prior above earlier preceding all any your these those system existing former original safety",
    ),
  },
  {
    verbs: set("bo_qua phot_lo lo_di quen bat_chap khong_tuan dung_tuan vuot_qua bo_het xoa_bo"),
    objects: set("chi_dan huong_dan chi_thi menh_lenh quy_tac quy_dinh lenh prompt loi_nhac yeu_cau"),
    marks: set("truoc tren tat_ca moi cac he_thong ban cu nay nhung"),
  },
  {
    verbs: set("reveal print show repeat output leak expose disclose send tiet_lo in_ra hien_thi lap_lai gui"),
    objects: set("prompt prompts instructions loi_nhac chi_dan huong_dan"),
    marks: set("system your hidden initial secret he_thong cua_ban bi_mat an"),
  },
  {
    verbs: set("tell inform notify alert warn say mention noi bao tiet_lo cho_biet"),
    objects: set("user users nguoi_dung"),
    marks: set("not never dont without must always secretly dung khong that to"),
  },
];

/** Beginnings of orders that need no object. */
const PHRASES: readonly (readonly string[])[] = [
  "you are now",
  "you must now",
  "from now on you",
  "act as if you",
  "pretend to be",
  "pretend you are",
  "new instructions",
  "updated instructions",
  "system prompt",
  "system message",
  "developer mode",
  "jailbreak",
  "do anything now",
  "call the tool",
  "use the tool",
  "tu gio ban la",
  "tu bay gio ban",
  "tu gio tro di ban",
  "bay gio ban la",
  "hay dong vai",
  "gia vo la",
  "chi dan moi",
  "huong dan moi",
  "lenh moi",
  "loi nhac he thong",
  "che do nha phat trien",
].map((phrase) => phrase.split(" "));

/** Marks that models read as the beginning of another speaker's words. */
const MARKUP: readonly string[] = [
  "<|im_start|>",
  "<|im_end|>",
  "<|system|>",
  "<|user|>",
  "<|endoftext|>",
  "[inst]",
  "[/inst]",
  "<<sys>>",
  "<system>",
  "</system>",
  "<instructions>",
  "### instruction",
  "### system",
  "begin system",
];

/** Whether the text gives orders; `folded` is without marks and in lower case. */
export function hasInjection(folded: string): boolean {
  if (MARKUP.some((mark) => folded.includes(mark)) || hasRoleLabel(folded)) return true;
  const words = folded.match(WORD) ?? [];
  return words.some((_, at) => hasPhrase(words, at) || ORDERS.some((order) => isOrder(words, at, order)));
}

const hasPhrase = (words: readonly string[], at: number): boolean =>
  PHRASES.some((phrase) => phrase.every((word, offset) => words[at + offset] === word));

function isOrder(words: readonly string[], at: number, { verbs, objects, marks }: Order): boolean {
  if (!verbs.has(words[at] ?? "") && !verbs.has(pairAt(words, at))) return false;
  const from = Math.max(0, at - 3);
  const near = words.slice(from, at + REACH + 1);
  const pairs = near.map((_, offset) => pairAt(near, offset));
  const after = [...near.slice(at - from + 1), ...pairs.slice(at - from + 1)];
  if (!after.some((word) => objects.has(word))) return false;
  return marks === undefined || [...near, ...pairs].some((word) => marks.has(word));
}

const pairAt = (words: readonly string[], at: number): string => `${words[at]}_${words[at + 1] ?? ""}`;

/** A line that begins like a turn of a conversation: `system: …`. */
function hasRoleLabel(folded: string): boolean {
  return folded.split("\n").some((line) => {
    const label = line.slice(0, 24).split(":", 1)[0]?.trim() ?? "";
    return line.includes(":") && ["system", "assistant", "developer", "he thong"].includes(label);
  });
}
