/**
 * Language: whether a text is English or Vietnamese.
 *
 * Vietnamese letters decide at once. Without them words do: a text is Vietnamese if it has more words that only
 * Vietnamese has than words that only English has. A text that has neither keeps the language of the text before.
 */
import { toWords } from "../data/directory/words.ts";
import type { Language } from "./intent.ts";

/** Words of Vietnamese, folded, that are no words of English. */
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

/** Words of English, folded, that are no words of Vietnamese. */
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
  "so do ma to no an in on can hay con long the he me o a i ban nam sang dang bang day bay chin cat tim ai tang hang nay",
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

/** The language of a text; `previous` is the language of the user's text before, for texts that say nothing. */
export function detectLanguage(text: string, previous?: Language): Language {
  if (hasVietnameseLetter(text)) return "vi";
  let vietnamese = 0;
  let english = 0;
  for (const { key } of toWords(text)) {
    if (EITHER.has(key)) continue;
    if (VIETNAMESE.has(key)) vietnamese++;
    if (ENGLISH.has(key)) english++;
  }
  if (vietnamese === 0 && english === 0) return previous ?? "en";
  return vietnamese > english ? "vi" : "en";
}

/** Letters that Vietnamese has and that names of other languages seldom have: đ, ơ, ư, and any with a tone below or above a mark. */
const LETTERS = /[đơưăạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủũứừửữựỳỵỷỹĩ]/;

function hasVietnameseLetter(text: string): boolean {
  const lower = text.normalize("NFC").toLowerCase();
  return LETTERS.test(lower) || hasSharedWord(lower);
}

/** Whether a word is Vietnamese once its shared letters are folded: `hôm`, `giá`, `là`; not `Nestlé`. */
function hasSharedWord(lower: string): boolean {
  return toWords(lower).some(({ raw, key }) => SHARED_LETTER.test(raw) && (VIETNAMESE.has(key) || EITHER.has(key)));
}

const SHARED_LETTER = /[àáâãèéêìíòóôõùúý]/;
