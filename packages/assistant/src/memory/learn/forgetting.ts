/**
 * Forgetting: what a user asks to be forgotten: a trait by its name, what some words are about, or everything.
 */
import type { Statement } from "../core/apply-statement.ts";
import type { Clause } from "./clause.ts";
import { matchPattern, toPattern, toVocabulary, type Vocabulary } from "./pattern.ts";
import { textOf, withoutTails } from "./object.ts";

const TRAITS = toVocabulary([
  ["name", "name, tên"],
  ["language", "language, language preference, ngôn ngữ"],
  ["risk", "risk attitude, risk tolerance, risk profile, risk appetite, khẩu vị rủi ro"],
  ["currency", "currency, tiền tệ, đơn vị tiền tệ"],
  ["time_zone", "time zone, timezone, múi giờ"],
  ["place", "address, city, country, home, where i live, location, nơi ở, địa chỉ"],
  ["occupation", "job, occupation, profession, nghề, nghề nghiệp"],
  ["age", "age, tuổi"],
  ["detail", "answer style"],
  ["horizon", "horizon, time horizon"],
]);
const SELF = toVocabulary([["self", "tôi, mình, tớ, tui, em"]]);
const VOCABULARIES: ReadonlyMap<string, Vocabulary> = new Map([
  ["trait", TRAITS],
  ["i", SELF],
]);
const patterns = (text: string) => text.split("\n").map((line) => toPattern(line.trim()));

const EVERYTHING = patterns(`forget|delete|erase|remove everything|all ?that ?you ?know ?remember ?about ?me
  forget|delete|erase ?about me
  forget|delete|erase|clear ?all ?of ?my ?your memory|memories ?of|about ?me
  quên|xóa|xoá ?hết|đi ?tất|mọi ?cả|thứ|điều ?về {i}
  quên|xóa|xoá ?hết|toàn ?bộ ?trí nhớ|bộ ?nhớ ?về ?{i}`);
const TRAIT = patterns(`forget|delete|erase|remove my {trait}
  quên|xóa|xoá ?đi {trait} ?của ?{i}`);
const ABOUT = patterns(`forget|delete|erase|remove that i *
  forget|delete|erase|remove ?what|everything ?i ?said ?you ?know about *
  quên ?việc|chuyện|đi ?rằng|là {i} *
  quên ?những|mọi ?gì|điều|thứ ?{i} ?nói về *`);

/** What is to be forgotten; undefined if nothing is. */
export function readForgetting(clause: Clause): readonly Statement[] | undefined {
  const tokens = withoutTails(withoutTails(clause.tokens, "vi"), "en");
  const find = (list: ReturnType<typeof patterns>) =>
    list.map((pattern) => matchPattern(pattern, tokens, VOCABULARIES)).find((match) => match !== undefined);
  const key = find(TRAIT)?.values.get("trait");
  if (key !== undefined) return [{ kind: "denial", key }];
  if (find(EVERYTHING) !== undefined) return [{ kind: "forgetting", about: undefined }];
  const about = find(ABOUT);
  return about === undefined ? undefined : [{ kind: "forgetting", about: textOf(about.rest, clause.text) }];
}
