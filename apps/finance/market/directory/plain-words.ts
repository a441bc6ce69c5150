/**
 * Plain words: tells ordinary words of English and Vietnamese and the jargon of markets from names and tickers.
 */
import { ORDINARY, PROPER } from "./ordinary-words.ts";

/** Words that carry a sentence rather than name something. */
const FUNCTION: ReadonlySet<string> = words(`
a an the this that these those it its he she they them we us me my your his her our their i you who whom whose which what
when where why how is are was were be been being am do does did done has have had can could will would shall should may
might must not no nor and or but if then than so as at by for from in into of off on onto out over to up upon with about
after before between during since until all any both each every few more most other some such only own same too very just
now here there again once also ever never please show tell give find get let make see look check compare analyze explain
buy sell hold trade invest go going up down vs versus per via today tomorrow yesterday week month year day price prices
stock stocks share shares market markets chart news earnings good best better bad high low new old top one two ten
la va cua cho voi thi ma nhung hay hoac neu khi co khong duoc dang da se cac nhung mot hai ba nam nay hom qua mai gi nao
sao bao nhieu the ai toi ban minh no ho ta giup xem hay nen mua ban giu gia tang giam phieu thang tuan ngay quy tin tuc
`);

/** Abbreviations of markets, money, offices and chat, in capitals or not. */
const JARGON: ReadonlySet<string> = words(`
ai etf etfs ipo ipos ceo cfo cto coo eps pe pb ps peg roe roa roi roic ebit ebitda ev fcf dcf wacc cagr ttm fy ytd yoy qoq
mom dod q1 q2 q3 q4 h1 h2 gdp cpi ppi pmi fed fomc sec fda irs doj eu uk us usa uae un imf ecb boj usd vnd eur jpy gbp cny
aud cad rsi macd sma ema atr adx obv vwap bb stoch ma ta fa var beta nyse otc hose hnx upcom amex adr ads reit reits esg
api pdf csv tv pc pr hr ir ip id ok okay lol btw idk imo omg pls plz thx ty am pm est edt utc gmt et pst dca ath atl hodl
fomo fud yolo dd itm otm atm nav aum apy apr bps ltd inc corp llc plc co faq diy asap fyi tbd na npl nim casa bctc lnst
ctcp ttck ck cp tp hn sg vn nhnn bds kqkd dhcd dhdcd tt hcm tphcm ndt nav qoq ev b2b b2c saas iot llm gpu cpu hbm dram ssd
vs aka eg ie etc max min avg std pct bn mn tn mm k pt sl tsl rr pnl tax spac dividend yield usdt usdc defi nft crypto blockchain fintech biotech forex altcoin stablecoin chatgpt chatbot smartphone startup website online email app apps iphone android ios
`);

/** Jargon that is a ticker if it stands in a list of tickers: `V or MA`, `SSI, VND, HCM`. */
const LISTABLE: ReadonlySet<string> = words("ma bb vnd hcm ceo ta ps cp");

/** Words before "stock" that say which kind of stock, not which one. */
const KINDS: ReadonlySet<string> = words(`
tech good best gold oil gas bank growth value penny dividend chip blue ai ev us uk eu china american chinese vietnamese hot top
any some same next cash safe real low high open drug cheap first green solar big small mid large new old right wrong main
single every each other another great nice cool fun fast cold bold rare two three ten five four one solid well own more most
less this that the which what whose my your his her our their its a an is are was be of in for to with by at from as and or
do does did has have can will should buy sell hold trade pick see show get find like love play invest check track watch
follow compare about per common preferred individual out up down so how when where why who if then than energy food health
retail software semiconductor defense airline biotech pharma crypto foreign private public restricted company total live
space cloud gaming auto car bull bear meme cyclical defensive overvalued undervalued volatile stable favorite particular
specific certain whole entire team game air med edge pure mass core base
`);

const SINGLE_WORDS: ReadonlySet<string> = words(ORDINARY);
const PROPER_NAMES: ReadonlySet<string> = words(PROPER);

/** Whether a folded word is an ordinary word rather than a name or ticker. */
export function isPlainWord(key: string): boolean {
  return SINGLE_WORDS.has(key) || FUNCTION.has(key) || PROPER_NAMES.has(key);
}

/** Whether it is the name of a place, a person or a day. */
export function isProperName(key: string): boolean {
  return PROPER_NAMES.has(key);
}

/** Whether it is a word like "the", "is", "cua". */
export function isFunctionWord(key: string): boolean {
  return FUNCTION.has(key);
}

/** Whether it is an abbreviation that everybody uses, such as ETF. */
export function isJargon(key: string): boolean {
  return JARGON.has(key);
}

/** Whether it is jargon that can also be one of a list of tickers. */
export function isListable(key: string): boolean {
  return LISTABLE.has(key);
}

/** Whether "stock" after it leaves open which stock is meant. */
export function isKindOfStock(key: string): boolean {
  return KINDS.has(key);
}

const ONSET = "(?:ngh|ng|nh|gh|gi|kh|ph|th|tr|ch|qu|[bcdghklmnprstvx])?";
const OPEN = "a[iouy]|e[ou]|i[au]|o[ai]|oe|u[aeiouy]|ieu|yeu|oai|oay|oeo|uay|uoi|uou|uya";
const CLOSED = "(?:[aeiouy]|oa|oe|oo|ie|ye|ua|ue|uo|uy|uye)(?:ch|ng|nh|[cmnpt])";
const SYLLABLE = new RegExp(`^${ONSET}(?:[aeiouy]|${OPEN}|${CLOSED})$`);

/** Whether a folded word can be a syllable of Vietnamese (`gia`, `nghieng`; not `vic`, `hpg`). */
export function isSyllable(key: string): boolean {
  return key.length <= 7 && SYLLABLE.test(key) && !key.endsWith("ic");
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}
