/**
 * Query words: what a question about the past is about, without the words that ask.
 *
 * "What did I say about bonds last week?" is about bonds, and about what the user said. English and Vietnamese, with
 * and without marks.
 */
import { toWords, type Word } from "../../search/words.ts";

/** A search, read from a question. */
export interface RecallQuery {
  readonly words: readonly Word[];
  /** The author of the words that are asked for, if the question names one. */
  readonly role?: "user" | "assistant";
}

/** Words that ask for the past and say nothing of what is wanted, folded, by their stems. */
const ASKING: ReadonlySet<string> = new Set(
  [
    "say said says saying talk talked talking speak spoke told telling mention mentioned discuss discussed remember",
    "remembered recall recalled ask asked asking about regarding concerning earlier before previous previously past",
    "last week weeks month months day days today yesterday hour hours ago time times conversation conversations chat",
    "discussion message messages anything something everything thing things know knew ever again me myself user",
    "noi ban hoi nho ke nhac chuyen truoc qua lan tuan thang ngay gio hom cuoc thoai tin nhan luc khi dieu viec",
    "con chua lai toi minh em anh chi cau tra loi gan day vua moi",
  ].flatMap((line) => toWords(line).map(({ stem }) => stem)),
);

/** Beginnings of a question about the past, folded; the role that it asks for. */
const ASKS: readonly (readonly [phrase: string, role: "user" | "assistant" | undefined])[] = [
  ["did i say", "user"],
  ["have i said", "user"],
  ["did i tell", "user"],
  ["have i told", "user"],
  ["did i mention", "user"],
  ["did i ask", "user"],
  ["have i asked", "user"],
  ["i said about", "user"],
  ["i told you", "user"],
  ["toi da noi", "user"],
  ["toi noi gi", "user"],
  ["toi co noi", "user"],
  ["toi da hoi", "user"],
  ["minh da noi", "user"],
  ["minh noi gi", "user"],
  ["em da noi", "user"],
  ["did you say", "assistant"],
  ["have you said", "assistant"],
  ["did you tell", "assistant"],
  ["have you told", "assistant"],
  ["you said about", "assistant"],
  ["you told me", "assistant"],
  ["ban da noi", "assistant"],
  ["ban noi gi", "assistant"],
  ["ban da tra loi", "assistant"],
  ["did we talk", undefined],
  ["did we discuss", undefined],
  ["have we talked", undefined],
  ["have we discussed", undefined],
  ["do you remember", undefined],
  ["can you recall", undefined],
  ["what do you know about me", undefined],
  ["chung ta da", undefined],
  ["ban co nho", undefined],
  ["ban nho gi", undefined],
];

/** Reads the search of a question about the past. */
export function toRecallQuery(text: string): RecallQuery {
  const words = toWords(text).filter(({ stem }) => !ASKING.has(stem));
  const role = findAsk(text)?.[1];
  return { words: toDistinct(words), ...(role && { role }) };
}

/** Whether a text is itself a question about the past. */
export const isRecallQuestion = (text: string): boolean => findAsk(text) !== undefined;

const MAX_CHARS = 300;
const MARKS = /\p{M}+/gu;

function findAsk(text: string) {
  const folded = text.slice(0, MAX_CHARS).normalize("NFD").replace(MARKS, "").toLowerCase().replaceAll("đ", "d");
  const plain = ` ${folded.replaceAll(/[^\p{L}\p{N}]+/gu, " ")} `;
  return ASKS.find(([phrase]) => plain.includes(` ${phrase} `));
}

function toDistinct(words: readonly Word[]): readonly Word[] {
  return [...new Map(words.map((word) => [word.stem, word])).values()];
}
