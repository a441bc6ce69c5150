/**
 * Series words: economic series by their names in English. Nothing is guessed: `GDP deflator` is not GDP.
 */
import { toFolded } from "../shared/folded.ts";

/** A series: the name its sources know it by, and what results call it. */
export type SeriesName = Readonly<{ key: string; label: string; metric: string }>;

/** One line a series: key, label, metric, then names between slashes. */
const TABLE = `
cpi|CPI|consumer price index|consumer price index/consumer prices/cpi index
core cpi|core CPI|core consumer price index|core consumer price index/cpi core
inflation|inflation|inflation|inflation/price inflation/consumer inflation/cpi inflation/headline inflation
core inflation|core inflation|core inflation|underlying inflation
ppi|PPI|producer price index|producer price index/producer prices
unemployment|unemployment|unemployment rate|jobless/joblessness/jobless claims rate/unemployed
participation|participation|labor force participation rate|labor force participation/labour force participation
payrolls|payrolls|nonfarm payrolls|nonfarm payrolls/non farm payrolls/nfp/jobs/employment
wages|wages|average hourly earnings|hourly earnings/average hourly earnings/wage/earnings
hours|weekly hours|average weekly hours|weekly hours/average weekly hours/working hours
gdp|GDP|GDP|gross domestic product/nominal gdp/size of the economy
real gdp|real GDP|real GDP|gdp constant prices
gdp growth|GDP growth|GDP growth|growth/economic growth/growth of gdp/real gdp growth
gdp per capita|GDP per capita|GDP per capita|gdp per person
population|population|population|number of people
exports|exports|exports of goods and services|export
imports|imports|imports of goods and services|import
fdi|FDI|foreign direct investment|foreign direct investment/foreign investment
debt|government debt|government debt|government debt/public debt/national debt/federal debt/us debt/sovereign debt
current account|current account|current account balance|current account balance
interest rate|lending rate|lending interest rate|lending rate/bank lending rate/interest rates
real interest rate|real interest rate|real interest rate|
reserves|reserves|total reserves|foreign reserves/fx reserves/foreign exchange reserves
cape|CAPE|CAPE of the S&P 500|shiller pe/shiller cape/cyclically adjusted pe
sp500 monthly|S&P 500 by month|S&P 500, monthly average|s&p 500 monthly
sp500 earnings|S&P 500 earnings|earnings of the S&P 500|s&p 500 earnings
sp500 dividends|S&P 500 dividends|dividends of the S&P 500|s&p 500 dividends
long interest rate|long interest rate|US long interest rate|long rate`;

const BY_NAME: ReadonlyMap<string, SeriesName> = new Map(
  TABLE.trim()
    .split("\n")
    .flatMap((line) => {
      const [key = "", label = "", metric = "", names = ""] = line.split("|");
      const series = { key, label, metric };
      return [key, label, metric, ...names.split("/")].map((name) => [toFolded(name), series] as const);
    }),
);

/** An id of a source, such as `CUUR0000SA0` or `NY.GDP.MKTP.CD`. */
const ID = /^(?=.*[\d.])[A-Z][A-Z0-9]*(?:\.[A-Z0-9]+)*$/;

/** The series that a text names; an id of a source stands for itself; undefined if it is not known. */
export function findSeries(text: string): SeriesName | undefined {
  const folded = toFolded(text.replaceAll("_", " "));
  const exact = BY_NAME.get(folded) ?? BY_NAME.get(folded.replace(/ rate$/, ""));
  if (exact !== undefined) return exact;
  const id = text.trim().toUpperCase();
  if (id.length >= 6 && id.length <= 40 && ID.test(id)) return { key: id, label: id, metric: id };
  return undefined;
}

/** Returns the labels of all series, as results name them. */
export const seriesLabels = (): readonly string[] => [...new Set([...BY_NAME.values()].map(({ label }) => label))];
