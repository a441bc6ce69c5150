/**
 * Vocabulary: the words by which people say how they are and what they prefer, and the values that are kept.
 */
import { toVocabulary, type Vocabulary } from "./pattern.ts";

/** Languages by their codes, as people name them. */
const LANGUAGES = toVocabulary([
  ["en", "english, tiếng anh"],
  ["vi", "vietnamese, tiếng việt"],
  ["fr", "french, tiếng pháp"],
  ["de", "german, tiếng đức"],
  ["es", "spanish, tiếng tây ban nha"],
  ["pt", "portuguese, tiếng bồ đào nha"],
  ["it", "italian, tiếng ý"],
  ["zh", "chinese, mandarin, tiếng trung, tiếng hoa"],
  ["ja", "japanese, tiếng nhật"],
  ["ko", "korean, tiếng hàn"],
  ["th", "thai, tiếng thái"],
  ["ru", "russian, tiếng nga"],
  ["hi", "hindi, tiếng hindi"],
  ["id", "indonesian, tiếng indonesia"],
]);

const RISKS = toVocabulary([
  [
    "cautious",
    "cautious, conservative, prudent, defensive, risk-averse, risk averse, careful, safety-first, low-risk, low risk, " +
      "thận trọng, cẩn thận, an toàn, bảo thủ, ngại rủi ro, sợ rủi ro, phòng thủ, ăn chắc mặc bền",
  ],
  ["balanced", "balanced, moderate, medium-risk, medium risk, cân bằng, trung dung, ôn hòa, vừa phải"],
  [
    "aggressive",
    "aggressive, bold, adventurous, risk-tolerant, risk tolerant, risk-seeking, risk seeking, risk-taking, high-risk, " +
      "high risk, speculative, mạo hiểm, liều lĩnh, táo bạo, ưa rủi ro, thích rủi ro, chấp nhận rủi ro",
  ],
]);

const LEVELS = toVocabulary([
  ["cautious", "low, very low, minimal, small, little, thấp, rất thấp, nhỏ, ít"],
  ["balanced", "medium, moderate, average, normal, trung bình, vừa, vừa phải"],
  ["aggressive", "high, very high, big, large, a lot of, a lot, lots of, much, great, cao, rất cao, lớn, nhiều"],
]);

const DETAILS = toVocabulary([
  [
    "short",
    "short, brief, concise, simple, terse, shorter, briefer, briefly, to the point, in short, " +
      "ngắn gọn, ngắn, vắn tắt, súc tích, gọn, đơn giản, tóm tắt",
  ],
  [
    "detailed",
    "detailed, long, thorough, in-depth, in depth, deep, longer, in detail, in more detail, at length, elaborate, " +
      "chi tiết, đầy đủ, kỹ, kỹ càng, dài, chi tiết hơn, cặn kẽ",
  ],
]);

const CURRENCIES = toVocabulary([
  ["USD", "usd, dollar, dollars, us dollars, us dollar, $, đô la, đô, đô la mỹ, đô mỹ"],
  ["EUR", "eur, euro, euros, €"],
  ["VND", "vnd, dong, đồng, vietnamese dong, việt nam đồng, tiền việt, ₫"],
  ["GBP", "gbp, pounds, pound, sterling, british pounds, £, bảng anh"],
  ["JPY", "jpy, yen, japanese yen, yên, yên nhật"],
  ["CNY", "cny, yuan, renminbi, rmb, nhân dân tệ"],
  ["CHF", "chf, francs, swiss francs"],
  ["KRW", "krw, won, korean won"],
  ["SGD", "sgd, singapore dollars"],
  ["AUD", "aud, australian dollars"],
  ["CAD", "cad, canadian dollars"],
  ["INR", "inr, rupees, rupee"],
  ["THB", "thb, baht"],
  ["HKD", "hkd, hong kong dollars"],
]);

const UNITS = toVocabulary([
  ["metric", "metric, celsius, kilometers, kilometres, hệ mét, độ c"],
  ["imperial", "imperial, fahrenheit, miles, hệ anh, độ f"],
]);

const HORIZONS = toVocabulary([
  ["long", "long-term, long term, long run, buy-and-hold, buy and hold, dài hạn, lâu dài"],
  ["short", "short-term, short term, short run, day, swing, ngắn hạn, lướt sóng"],
]);

const EXPERIENCE = toVocabulary([
  ["beginner", "beginner, novice, newbie, newcomer, complete beginner, total beginner, người mới, người mới bắt đầu"],
  ["intermediate", "intermediate"],
  ["expert", "expert, professional, pro, experienced, chuyên gia, chuyên nghiệp"],
]);

/** Verbs of aims that take years; what somebody wants now is a request. */
const AIMS = toVocabulary([
  [
    "aim",
    "retire, save, pay off, reach, achieve, grow, earn, preserve, protect, become, live off, send, buy a house, " +
      "buy a home, buy my first, build wealth, build a, double, accumulate, leave my job, quit my job, travel, start a, " +
      "nghỉ hưu, tiết kiệm, trả hết, đạt, trở thành, mua nhà, mua căn, tích lũy, bảo toàn, tự do, cho con, có thu nhập",
  ],
]);

const SELF = toVocabulary([["self", "tôi, mình, tớ, tui, em, bản thân tôi"]]);

/** Every vocabulary by the name that patterns use. */
export const VOCABULARIES: ReadonlyMap<string, Vocabulary> = new Map([
  ["lang", LANGUAGES],
  ["risk", RISKS],
  ["level", LEVELS],
  ["detail", DETAILS],
  ["currency", CURRENCIES],
  ["units", UNITS],
  ["horizon", HORIZONS],
  ["experience", EXPERIENCE],
  ["aim", AIMS],
  ["i", SELF],
]);
