/**
 * Language: whether a text is English or Vietnamese.
 *
 * The words that hold a sentence together decide ("of", "is", "của", "bao nhiêu"), and Vietnamese words with their marks.
 * Terms decide only if there are none; names with marks ("Hà Nội") decide nothing. A text without any of these keeps the
 * language of the text before.
 */
import { toWords } from "../market/directory/words.ts";
import type { QuestionLanguage } from "./intent.ts";

/** Words of Vietnamese, folded, that are not words of English. */
const VIETNAMESE: ReadonlySet<string> = words(`
gia phieu hom nay bao nhieu cua cho toi minh giup xem thi truong tin tuc moi nhat ky thuat ki phan tich danh tinh hinh nen
khong duoc dang nhung nao gi sao vi tai nhu va voi hay hoac neu khi ngay thang tuan quy nam truoc qua gan day doanh thu loi
nhuan co tuc von hoa khoi luong cao thap ty trieu nghin ngan dong tien bang can doi ke toan luu chuyen bien dong rui ro sanh
so tang giam manh yeu nganh chi bao duong trung binh cat len xuong qua mua vang dau tu chung khoan cong ty tap doan ngan hang
ma lich su kien kinh te cong bo lai suat thanh phan nhieu nhat mot hai bon sau bay tam chin muoi the con thi con nua nhe
bay gio hien tai chao xin cam biet giai thich nghia dinh tim kiem loc duoi tren khoang tat ca moi cac nhom danh muc sach ke
ban ai noi chuyen thoi tiet lam sao giao dich dien tu chieu sang nen du lieu lo dinh day ho tro vay ra lieu thuc hien quan
trong sap toi kha nang thanh hieu qua chien luoc thu nghiem bay nho nhac hoi hoi luc dau tong nghiep vuot ky vong
`);

/** Words of English, folded, that are not words of Vietnamese. */
const ENGLISH: ReadonlySet<string> = words(`
the is are was were what which who how why when where does did do has have will would should can could about of for and or
price prices stock stocks share shares market markets please show tell give find list compare versus between today yesterday
week month year years day days my me you your it its this that these those with from than over under above below more less
buy sell hold analyze analyse analysis news latest earnings revenue income balance sheet cash flow dividend dividends growth
ratio ratios margin technical chart report full company companies sector best top high low last next much many value hello hi
hey thanks thank help good morning in on at to an if not be been there any some all out up down explain mean define trading
trade volume average moving risk return returns performance index gainers losers active screener
doing did vs better cheaper worth history historical annual quarterly per cent percent
`);

/** Syllables that English texts have too often to say anything: "ban", "do", "so", "ma", "to". */
const EITHER: ReadonlySet<string> = words(
  "so do ma to no an in on can hay con long the he me my it be o a i ban nam sang dang bang day bay chin cat tim ai tang hang nay",
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

/** Words that hold a Vietnamese sentence together, folded. */
const VIETNAMESE_FRAME: ReadonlySet<string> = words(`
cua cho toi minh giup hom bao nhieu khong duoc nhung nao gi sao nhu va voi hoac neu khi thi nhe xin vay nua cac roi chua
`);

/** Words that hold an English sentence together. */
const ENGLISH_FRAME: ReadonlySet<string> = words(`
is are was were been what which who how why when where does did has have will would should could about of for and or with
from than by at into if not you your its this that these those their there any
`);

/** A word of the frame says more than a term: terms and names of one language stand in sentences of the other. */
const FRAME_WEIGHT = 2;

interface Evidence {
  /** Frames, and Vietnamese words with their marks. */
  readonly frame: Readonly<Record<QuestionLanguage, number>>;
  /** Words of any kind. */
  readonly words: Readonly<Record<QuestionLanguage, number>>;
}

/** The language of a text shows in its beginning. */
const MAX_READ = 2_000;

/** The language of a text; `previous` is the language of the user's text before, for texts that say nothing. */
export function detectLanguage(text: string, previous?: QuestionLanguage): QuestionLanguage {
  const written = text.slice(0, MAX_READ).normalize("NFC");
  const { frame, words: all } = weigh(written);
  if (frame.vi !== frame.en) return frame.vi > frame.en ? "vi" : "en";
  if (frame.vi > 0) return hasMarks(written) || all.vi > all.en ? "vi" : "en";
  if (all.vi !== all.en) return all.vi > all.en ? "vi" : "en";
  if (all.en > 0) return "en";
  return previous ?? (hasMarks(written) ? "vi" : "en");
}

function weigh(text: string): Evidence {
  const frame = { en: 0, vi: 0 };
  const counted = { en: 0, vi: 0 };
  const found = toWords(text);
  const isShouted = !/\p{Ll}/u.test(text);
  for (const [at, { raw, key }] of found.entries()) {
    if (isMarked(raw, key)) {
      const isTitle = at === 0 && !goesOn(found[1]);
      if (/^\p{Lu}/u.test(raw) && !isShouted && !isTitle) continue;
      frame.vi += VIETNAMESE_FRAME.has(key) ? FRAME_WEIGHT : 1;
      counted.vi++;
    } else if (!EITHER.has(key)) {
      if (VIETNAMESE_FRAME.has(key)) frame.vi += FRAME_WEIGHT;
      if (ENGLISH_FRAME.has(key)) frame.en += FRAME_WEIGHT;
      if (VIETNAMESE.has(key)) counted.vi++;
      if (ENGLISH.has(key)) counted.en++;
    }
  }
  return { frame, words: counted };
}

/** Whether a word continues a name: the second of "Hòa Phát". */
function goesOn(word: Readonly<{ raw: string }> | undefined): boolean {
  return word !== undefined && /^\p{Lu}/u.test(word.raw) && /\P{ASCII}/u.test(word.raw);
}

function hasMarks(text: string): boolean {
  return toWords(text).some(({ raw, key }) => isMarked(raw, key));
}

/** Letters that Vietnamese has and that names of other languages seldom have: đ, ơ, ư, and any with a tone below or above a mark. */
const LETTERS = /[đơưăạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủũứừửữựỳỵỷỹĩ]/;
/** Letters that other languages have too. */
const SHARED_LETTER = /[àáâãèéêìíòóôõùúý]/;

/** Whether a word is written with Vietnamese marks: `hôm`, `giá`, `là`; not `Nestlé`. */
function isMarked(raw: string, key: string): boolean {
  const lower = raw.normalize("NFC").toLowerCase();
  if (LETTERS.test(lower)) return true;
  return SHARED_LETTER.test(lower) && (VIETNAMESE.has(key) || EITHER.has(key) || VIETNAMESE_FRAME.has(key));
}
