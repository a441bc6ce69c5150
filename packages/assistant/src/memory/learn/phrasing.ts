/**
 * Phrasing: how what was learned is written down, in the user's language, with its key and value.
 */
import { toWords } from "../../search/words.ts";
import type { MemoryClaim, Statement } from "../core/apply-statement.ts";
import { toBare } from "./token.ts";

/** The language that an entry is written in. */
export type EntryLanguage = "en" | "vi";

/** The keys that have one value each. */
export type TraitKey =
  | "name"
  | "language"
  | "risk"
  | "detail"
  | "currency"
  | "units"
  | "horizon"
  | "experience"
  | "time_zone"
  | "place"
  | "occupation"
  | "age";

type Words = Readonly<{ en: string; vi: string }>;

/** How a trait is written; `%` is its value. */
const TRAITS: Readonly<Record<TraitKey, Words & Readonly<{ category: MemoryClaim["category"] }>>> = {
  name: { en: "Name: %", vi: "Tên: %", category: "fact" },
  language: { en: "Language: %", vi: "Ngôn ngữ: %", category: "preference" },
  risk: { en: "Risk attitude: %", vi: "Thái độ với rủi ro: %", category: "preference" },
  detail: { en: "Prefers % answers", vi: "Thích câu trả lời %", category: "preference" },
  currency: { en: "Currency: %", vi: "Tiền tệ: %", category: "preference" },
  units: { en: "Units: %", vi: "Hệ đo: %", category: "preference" },
  horizon: { en: "Horizon: % term", vi: "Tầm nhìn: %", category: "preference" },
  experience: { en: "Experience: %", vi: "Kinh nghiệm: %", category: "fact" },
  time_zone: { en: "Time zone: %", vi: "Múi giờ: %", category: "fact" },
  place: { en: "Lives in %", vi: "Sống ở %", category: "fact" },
  occupation: { en: "Works as %", vi: "Làm việc: %", category: "fact" },
  age: { en: "Age: %", vi: "Tuổi: %", category: "fact" },
};

/** Values that are words, in both languages. */
const VALUES: ReadonlyMap<string, Words> = new Map([
  ["cautious", { en: "cautious", vi: "thận trọng" }],
  ["balanced", { en: "balanced", vi: "cân bằng" }],
  ["aggressive", { en: "aggressive", vi: "mạo hiểm" }],
  ["short", { en: "short", vi: "ngắn gọn" }],
  ["detailed", { en: "detailed", vi: "chi tiết" }],
  ["metric", { en: "metric", vi: "hệ mét" }],
  ["imperial", { en: "imperial", vi: "hệ Anh" }],
  ["beginner", { en: "beginner", vi: "mới bắt đầu" }],
  ["intermediate", { en: "intermediate", vi: "trung bình" }],
  ["expert", { en: "expert", vi: "chuyên gia" }],
  ["en", { en: "English", vi: "tiếng Anh" }],
  ["vi", { en: "Vietnamese", vi: "tiếng Việt" }],
  ["fr", { en: "French", vi: "tiếng Pháp" }],
  ["de", { en: "German", vi: "tiếng Đức" }],
  ["es", { en: "Spanish", vi: "tiếng Tây Ban Nha" }],
  ["pt", { en: "Portuguese", vi: "tiếng Bồ Đào Nha" }],
  ["it", { en: "Italian", vi: "tiếng Ý" }],
  ["zh", { en: "Chinese", vi: "tiếng Trung" }],
  ["ja", { en: "Japanese", vi: "tiếng Nhật" }],
  ["ko", { en: "Korean", vi: "tiếng Hàn" }],
  ["th", { en: "Thai", vi: "tiếng Thái" }],
  ["ru", { en: "Russian", vi: "tiếng Nga" }],
  ["hi", { en: "Hindi", vi: "tiếng Hindi" }],
  ["id", { en: "Indonesian", vi: "tiếng Indonesia" }],
]);
const TERMS: ReadonlyMap<string, Words> = new Map([
  ["long", { en: "long", vi: "dài hạn" }],
  ["short", { en: "short", vi: "ngắn hạn" }],
]);

/** What a trait says of the user. */
export function toTrait(key: TraitKey, value: string, language: EntryLanguage): MemoryClaim {
  const known = key === "horizon" ? TERMS : VALUES;
  const shown = key === "name" || key === "place" ? value : (known.get(value)?.[language] ?? value);
  const { category, [language]: words } = TRAITS[key];
  return { kind: "claim", text: words.replace("%", () => shown), category, key, value };
}

/** What somebody likes, or does not. */
export function toTaste(object: string, value: "like" | "dislike", language: EntryLanguage): MemoryClaim {
  const verbs = { like: { en: "Likes", vi: "Thích" }, dislike: { en: "Dislikes", vi: "Không thích" } } as const;
  const text = `${verbs[value][language]} ${object}`;
  return { kind: "claim", text, category: "preference", key: toTasteKey(object), value };
}

/** What somebody liked or disliked holds no longer. */
export function toTasteDenial(object: string, value: "like" | "dislike"): Statement {
  return { kind: "denial", key: toTasteKey(object), value };
}

/** What somebody aims at. */
export function toGoal(aim: string, language: EntryLanguage): MemoryClaim {
  return { kind: "claim", text: `${language === "vi" ? "Mục tiêu" : "Goal"}: ${aim}`, category: "goal" };
}

/** What is somebody's favourite of its kind. */
export function toFavourite(kind: string, value: string, language: EntryLanguage): MemoryClaim {
  const text = language === "vi" ? `${kind} yêu thích: ${value}` : `Favourite ${kind}: ${value}`;
  return { kind: "claim", text, category: "preference", key: `favourite:${toSlug(kind)}`, value };
}

const toTasteKey = (object: string): string => `taste:${toSlug(object)}`;

const MAX_SLUG = 80;

/** The same for two forms of a word. */
function toSlug(text: string): string {
  const stems = toWords(text).map(({ stem }) => stem);
  return (stems.join(" ") || toBare(text).trim()).slice(0, MAX_SLUG);
}
