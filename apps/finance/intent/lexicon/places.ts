/**
 * Places: time zones of cities and codes of countries, by what people call them in English and Vietnamese.
 */
import { type Lexicon, toPhraseIndex } from "../topics/phrase-index.ts";
import { type Reading, toSearched } from "../reading.ts";

const ZONES: Lexicon<string> = [
  [
    "America/New_York",
    "new york, ny, nyc, wall street, nyse, eastern time, us eastern, est, edt, washington, boston, giờ mỹ, miami",
  ],
  ["America/Chicago", "chicago, central time, texas, houston, dallas"],
  ["America/Denver", "denver, mountain time"],
  [
    "America/Los_Angeles",
    "los angeles, san francisco, california, pacific time, seattle, pst, la time, silicon valley",
  ],
  ["America/Toronto", "toronto, canada"],
  ["America/Sao_Paulo", "sao paulo, brazil"],
  ["Europe/London", "london, uk, england, britain, gmt, anh quốc, luân đôn, giờ anh"],
  ["Europe/Paris", "paris, france, pháp"],
  ["Europe/Berlin", "berlin, frankfurt, germany, munich, đức"],
  ["Europe/Zurich", "zurich, geneva, switzerland, thụy sĩ"],
  [
    "Asia/Ho_Chi_Minh",
    "hanoi, ha noi, hà nội, vietnam, viet nam, việt nam, saigon, sài gòn, ho chi minh, hồ chí minh, hcm, đà nẵng",
  ],
  ["Asia/Tokyo", "tokyo, japan, nhật bản, nhật"],
  ["Asia/Shanghai", "shanghai, beijing, china, thượng hải, bắc kinh, trung quốc, shenzhen"],
  ["Asia/Hong_Kong", "hong kong, hongkong, hồng kông, hồng công"],
  ["Asia/Singapore", "singapore"],
  ["Asia/Seoul", "seoul, korea, south korea, hàn quốc"],
  ["Asia/Bangkok", "bangkok, thailand, thái lan"],
  ["Asia/Kolkata", "india, mumbai, delhi, ấn độ"],
  ["Asia/Dubai", "dubai, uae"],
  ["Australia/Sydney", "sydney, australia, melbourne, úc"],
];

const COUNTRIES: Lexicon<string> = [
  ["US", "united states, usa, america, american, us, mỹ, hoa kỳ"],
  ["VN", "vietnam, viet nam, việt nam, vietnamese"],
  ["GB", "uk, united kingdom, britain, british, england, vương quốc anh, anh quốc, nước anh"],
  ["JP", "japan, japanese, nhật bản, nhật"],
  ["CN", "china, chinese, trung quốc"],
  ["DE", "germany, german, nước đức"],
  ["FR", "france, french, nước pháp"],
  ["CA", "canada, canadian"],
  ["AU", "australia, australian, nước úc"],
  ["IN", "india, indian, ấn độ"],
  ["KR", "korea, south korea, korean, hàn quốc"],
  ["CH", "switzerland, swiss, thụy sĩ"],
  ["BR", "brazil, brazilian"],
  ["EU", "eurozone, euro area, europe, european, ecb, châu âu, khu vực đồng euro"],
];

const ZONE_INDEX = toPhraseIndex(ZONES);
const COUNTRY_INDEX = toPhraseIndex(COUNTRIES);

/** The time zone that a question names. */
export function timezoneOf({ tokens, text }: Reading): string | undefined {
  return ZONE_INDEX.find(toSearched(tokens, text))[0]?.name;
}

/** The country that a question names. */
export function countryOf({ tokens, text }: Reading): string | undefined {
  const searched = toSearched(tokens, text);
  const keys = searched.keys.map((key, at) => (key === "us" && tokens[at]?.raw !== "US" ? "" : key));
  return COUNTRY_INDEX.find({ ...searched, keys })[0]?.name;
}
