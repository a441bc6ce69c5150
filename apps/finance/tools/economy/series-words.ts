/**
 * Series words: which economic series people mean, in English and Vietnamese.
 *
 * A text means a series if it is one of its names, beside words that add nothing (`rate`, `latest`, `của`). Anything
 * else is not guessed: `GDP deflator` is not GDP.
 */
import { toFolded } from "../shared/folded.ts";

/** A series: the name its sources know it by, and what results call it. */
export type SeriesName = Readonly<{ key: string; label: string; metric: string }>;

/** One line a series: key, label, metric, then names between slashes. */
const TABLE = `
cpi|CPI|consumer price index|consumer price index/consumer prices/chi so gia tieu dung/gia tieu dung/cpi index
core cpi|core CPI|core consumer price index|core consumer price index/cpi core/cpi loi/chi so gia loi
inflation|inflation|inflation|inflation/price inflation/consumer inflation/cpi inflation/lam phat/headline inflation
core inflation|core inflation|core inflation|lam phat co ban/lam phat loi/underlying inflation
ppi|PPI|producer price index|producer price index/producer prices/chi so gia san xuat/gia san xuat
unemployment|unemployment|unemployment rate|jobless/joblessness/that nghiep/jobless claims rate/unemployed
participation|participation|labor force participation rate|labor force participation/labour force participation/tham gia luc luong lao dong
payrolls|payrolls|nonfarm payrolls|nonfarm payrolls/non farm payrolls/nfp/jobs/employment/viec lam/bang luong phi nong nghiep/viec lam phi nong nghiep
wages|wages|average hourly earnings|hourly earnings/average hourly earnings/wage/earnings/tien luong/luong/luong theo gio/thu nhap theo gio
hours|weekly hours|average weekly hours|weekly hours/average weekly hours/gio lam viec/working hours
gdp|GDP|GDP|gross domestic product/nominal gdp/tong san pham quoc noi/quy mo nen kinh te/size of the economy
real gdp|real GDP|real GDP|gdp constant prices/gdp thuc
gdp growth|GDP growth|GDP growth|growth/economic growth/growth of gdp/real gdp growth/tang truong/tang truong gdp/tang truong kinh te
gdp per capita|GDP per capita|GDP per capita|gdp per person/gdp dau nguoi/gdp binh quan dau nguoi/thu nhap binh quan dau nguoi
population|population|population|dan so/number of people
exports|exports|exports of goods and services|export/xuat khau/kim ngach xuat khau
imports|imports|imports of goods and services|import/nhap khau/kim ngach nhap khau
fdi|FDI|foreign direct investment|foreign direct investment/foreign investment/dau tu truc tiep nuoc ngoai/von fdi/dau tu nuoc ngoai
debt|government debt|government debt|government debt/public debt/national debt/federal debt/us debt/sovereign debt/no cong/no chinh phu/no quoc gia
current account|current account|current account balance|current account balance/can can vang lai/tai khoan vang lai
interest rate|lending rate|lending interest rate|lending rate/bank lending rate/interest rates/lai suat/lai suat cho vay
real interest rate|real interest rate|real interest rate|lai suat thuc
reserves|reserves|total reserves|foreign reserves/fx reserves/foreign exchange reserves/du tru ngoai hoi/du tru`;

const BY_NAME: ReadonlyMap<string, SeriesName> = new Map(
  TABLE.trim()
    .split("\n")
    .flatMap((line) => {
      const [key = "", label = "", metric = "", names = ""] = line.split("|");
      const series = { key, label, metric };
      return [key, label, metric, ...names.split("/")].map((name) => [toFolded(name), series] as const);
    }),
);

/** Words that add nothing to the name of a series, folded. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  `rate rates level index figure figures data number numbers annual yearly monthly year month latest current newest now
the of in a for and total united states us usa american america vietnam viet nam vietnamese country economy economic
ty le muc chi so nam thang hang hien tai moi nhat cua nuoc o va so lieu kinh te quoc gia my hoa ky`.split(/\s+/),
);

/** An id of a source, such as `CUUR0000SA0` or `NY.GDP.MKTP.CD`. */
const ID = /^(?=.*[\d.])[A-Z][A-Z0-9]*(?:\.[A-Z0-9]+)*$/;
const MAX_WORDS = 20;

/** The series that a text names; an id of a source stands for itself; undefined if it is not known. */
export function findSeries(text: string): SeriesName | undefined {
  const folded = toFolded(text);
  const exact = BY_NAME.get(folded);
  if (exact !== undefined) return exact;
  const id = text.trim().toUpperCase();
  if (id.length >= 6 && id.length <= 40 && ID.test(id)) return { key: id, label: id, metric: id };
  return findAmong(folded.split(" ").slice(0, MAX_WORDS));
}

/** The longest run of words that names a series, if the other words add nothing. */
function findAmong(words: readonly string[]): SeriesName | undefined {
  for (let length = words.length; length > 0; length--) {
    for (let at = 0; at + length <= words.length; at++) {
      const found = BY_NAME.get(words.slice(at, at + length).join(" "));
      const others = [...words.slice(0, at), ...words.slice(at + length)];
      if (found !== undefined && others.every((word) => EMPTY_WORDS.has(word))) return found;
    }
  }
  return undefined;
}

/** Returns the labels of all series, as results name them. */
export const seriesLabels = (): readonly string[] => [...new Set([...BY_NAME.values()].map(({ label }) => label))];
