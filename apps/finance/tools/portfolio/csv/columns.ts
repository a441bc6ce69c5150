/**
 * Columns: what the columns of a broker's table mean, by the words of its header in English, Vietnamese, German and
 * French.
 *
 * Of all phrases in a header the longest decides. Percentages, gains and changes are not holdings and are ignored.
 */
import { toNameKey } from "../../../market/directory/sectors.ts";
import { type Currency, toCurrency } from "../valuation/currency.ts";

/** Meaning of a column. */
export type Field =
  | "symbol"
  | "isin"
  | "name"
  | "quantity"
  | "available"
  | "cost_each"
  | "cost_total"
  | "cost"
  | "price"
  | "value"
  | "currency"
  | "account"
  | "account_number"
  | "bought_on"
  | "type"
  | "asset_class"
  | "exchange"
  | "action"
  | "level"
  | "ignored";

/** Phrases by field, by commas, as `toNameKey` writes them. */
const PHRASES: readonly (readonly [field: Field, phrases: string])[] = [
  [
    "symbol",
    "symbol, ticker, ticker symbol, stock symbol, stock code, stock ticker, instrument, financial instrument, slice, " +
      "stock, code, coin, asset, ma, ma ck, ma cp, ma chung khoan, ma co phieu, mack, mck, chung khoan, kurzel, " +
      "tickersymbol, symbol isin, mnemo, mnemonique",
  ],
  ["isin", "isin, isin code, code isin"],
  [
    "name",
    "description, name, investment name, security name, security description, security, product, company, " +
      "company name, instrument name, stock name, asset name, fund name, holding, ten, ten ck, ten cong ty, " +
      "ten chung khoan, ten co phieu, produkt, bezeichnung, wertpapier, wertpapiername, produit, libelle, nom, titre",
  ],
  [
    "quantity",
    "quantity, qty, shares, units, no of shares, number of shares, share quantity, owned quantity, position, amount, " +
      "balance, holdings, coins, khoi luong, kl, so luong, sl, so luong cp, so co phieu, so cp, tong kl, kl tong, " +
      "tong khoi luong, tong so luong, kl so huu, kl nam giu, anzahl, stuck, stuckzahl, menge, bestand, nominale, " +
      "quantite, qte, nombre, nombre de titres, nb titres, parts",
  ],
  [
    "available",
    "available, available quantity, available shares, kl kha dung, khoi luong kha dung, so luong kha dung, " +
      "kha dung, kl ban duoc, kl duoc ban",
  ],
  [
    "cost_each",
    "average cost, avg cost, average cost basis, avg cost basis, average price, avg price, average buy price, " +
      "avg buy price, average purchase price, entry price, avg entry price, average entry price, price paid, cost price, " +
      "cost share, cost per share, cost basis share, cost basis per share, cost per unit, unit cost, purchase price, " +
      "cost basis price, buy price, open price, avg open price, average share price, gia von, gia mua, gia von tb, " +
      "gia von trung binh, gia mua tb, gia mua trung binh, gia tb, gia trung binh, gia binh quan, gia von binh quan, " +
      "gia mua binh quan, einstandskurs, einstandspreis, kaufkurs, kaufpreis, durchschnittspreis, einkaufspreis, " +
      "o kaufpreis, o einstandskurs, pru, prix de revient, prix de revient unitaire, prix d achat, prix moyen, " +
      "prix d achat moyen, cout moyen, cours d achat",
  ],
  [
    "cost_total",
    "cost basis, cost basis total, total cost basis, total cost, cost value, invested value, invested amount, " +
      "amount invested, invested, total invested, cost basis money, book value, book cost, total book cost, " +
      "purchase value, purchase cost, tong von, tong gia von, gia tri von, von dau tu, gia tri mua, gia tri dau tu, " +
      "tong gia tri mua, gia tri goc, einstandswert, kaufwert, anschaffungswert, investiert, montant investi, " +
      "valeur d achat, prix de revient total, cout total",
  ],
  ["cost", "cost, von"],
  [
    "price",
    "price, last price, last, close, closing, closing price, close price, mark price, share price, current price, " +
      "market price, latest price, price share, price per share, gia, gia tt, gia thi truong, gia hien tai, " +
      "gia dong cua, kurs, schlusskurs, aktueller kurs, preis, cours, dernier cours, dernier, prix",
  ],
  [
    "value",
    "value, current value, market value, mkt val, mkt value, total value, equity, position value, value in eur, " +
      "local value, total amount, gia tri, gia tri tt, gia tri thi truong, gia tri hien tai, thanh tien, wert, " +
      "marktwert, gesamtwert, kurswert, aktueller wert, valorisation, valeur, montant",
  ],
  [
    "currency",
    "currency, currency price share, ccy, curr, currencyprimary, currency primary, tien te, loai tien, wahrung, devise, monnaie",
  ],
  ["account", "account, account name, portfolio, portfolio name, tai khoan, tieu khoan, konto, depot, compte"],
  [
    "account_number",
    "account number, account no, account id, clientaccountid, client account id, so tai khoan, so tieu khoan, " +
      "kontonummer, depotnummer, numero de compte",
  ],
  [
    "bought_on",
    "date acquired, acquired, acquisition date, purchase date, purchased, trade date, open date, opened, date, time, " +
      "buy date, bought on, bought, date bought, ngay mua, ngay gd, ngay giao dich, ngay, kaufdatum, datum, " +
      "date d achat, date achat",
  ],
  ["type", "type, loai, loai ck, gattung"],
  [
    "asset_class",
    "security type, asset class, asset category, asset type, product type, instrument type, investment type, " +
      "loai tai san, wertpapierart, wertpapiertyp, classe d actifs",
  ],
  [
    "exchange",
    "exchange, market, listing exchange, primary exchange, san, san gd, san giao dich, borse, marche, place",
  ],
  [
    "action",
    "action, transaction type, transaction, side, buy sell, activity type, loai gd, loai giao dich, mua ban, " +
      "transaktion, operation, sens",
  ],
  ["level", "data discriminator, datadiscriminator, level of detail"],
  [
    "ignored",
    "percent, gain, gains, loss, chng, change, chg, return, yield, p and l, p l, pnl, unrealized, unrealised, " +
      "unrealized p l, profit, dividend, dividends, dividends gained, weight, reinvest, ratings, as of, as of date, " +
      "settlement date, account type, " +
      "fees, commission, tax, exchange rate, result, previous close, open, mult, multiplier, lai lo, lai, lai lo du kien, ty trong, ty le, " +
      "tang giam, thay doi, kl cho ve, kl cho, cho ve, cho giao dich, phong toa, cam co, han che, quyen, gewinn, " +
      "verlust, veranderung, performance, anteil, wkn, plus value, moins value, plus moins value, variation, poids, " +
      "last price change, cost basis method",
  ],
];

const FIELD_OF: ReadonlyMap<string, Field> = new Map(
  PHRASES.flatMap(([field, phrases]) => phrases.split(", ").map((phrase) => [phrase, field] as const)),
);
const MAX_WORDS = 5;

/** Returns the field that a header means; undefined if nothing in it is known. */
function fieldOf(header: string): Readonly<{ field: Field; size: number }> | undefined {
  if (header.includes("%") || header.length > 80) return { field: "ignored", size: 99 };
  const words = toNameKey(header.replaceAll(/([a-z])([A-Z])/g, "$1 $2")).split(" ");
  let best: { readonly field: Field; readonly size: number } | undefined;
  words.forEach((_, start) => {
    for (let count = 1; count <= MAX_WORDS && start + count <= words.length; count++) {
      const phrase = words.slice(start, start + count).join(" ");
      const field = FIELD_OF.get(phrase);
      const isBetter = field === "ignored" ? phrase.length >= (best?.size ?? 0) : phrase.length > (best?.size ?? 0);
      if (field !== undefined && isBetter) best = { field, size: phrase.length };
    }
  });
  return best;
}

/** A column that is used. */
export interface Column {
  readonly index: number;
  readonly header: string;
  readonly field: Field;
}

/** The columns of a header, at most one a field; undefined if it is not the header of holdings. */
export function toColumns(cells: readonly string[]): ReadonlyMap<Field, Column> | undefined {
  const found = cells.map((header, index) => ({ header, index, ...(header === "" ? undefined : fieldOf(header)) }));
  const columns = new Map<Field, Column>();
  for (const { header, index, field, size = 0 } of found.toSorted(
    (a, b) => (b.size ?? 0) - (a.size ?? 0) || a.index - b.index,
  )) {
    if (field !== undefined && field !== "ignored" && size > 0 && !columns.has(field))
      columns.set(field, { index, header, field });
  }
  const available = columns.get("available");
  if (available !== undefined && !columns.has("quantity")) columns.set("quantity", available);
  const isNamed = columns.has("symbol") || columns.has("name") || columns.has("isin");
  return isNamed && columns.has("quantity") ? withPaidPrice(columns) : undefined;
}

/** A price beside no other amount of money is what was paid. */
function withPaidPrice(columns: Map<Field, Column>): ReadonlyMap<Field, Column> {
  const price = columns.get("price");
  const hasMoney = (["cost_each", "cost_total", "cost", "value"] as const).some((field) => columns.has(field));
  if (price !== undefined && !hasMoney) columns.set("cost_each", { ...price, field: "cost_each" });
  return columns;
}

const VIETNAMESE: ReadonlySet<string> = new Set([
  "ma",
  "mack",
  "mck",
  "kl",
  "sl",
  "khoi",
  "luong",
  "gia",
  "von",
  "tien",
  "san",
  "ngay",
]);
const EUROPEAN: ReadonlySet<string> = new Set(
  (
    "anzahl stuck stuckzahl kaufkurs einstandskurs produkt wert bezeichnung wahrung datum " +
    "quantite libelle prix cours valeur devise nombre pru produit"
  ).split(" "),
);

/** Where a header is from, by its words; it decides what doubtful numbers and dates mean. */
export function regionOf(cells: readonly string[]): "vietnam" | "europe" | undefined {
  const words = cells.flatMap((cell) => toNameKey(cell).split(" "));
  const count = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length;
  if (count(VIETNAMESE) >= 2) return "vietnam";
  return count(EUROPEAN) >= 1 ? "europe" : undefined;
}

const CODES = "USD EUR GBP GBX VND JPY CHF CAD AUD HKD SGD CNY KRW INR SEK NOK DKK NZD THB TWD".split(" ");
const THOUSANDS: ReadonlySet<string> = new Set(["nghin", "ngan", "thousand", "thousands", "x1000", "1000"]);

/** The currency and scale that a header names, as `Giá vốn (nghìn đồng)` does. */
export function unitOf(header: string): Readonly<{ currency?: Currency; scale: number }> {
  const words = toNameKey(header).split(" ");
  const code = CODES.find((one) => words.includes(one.toLowerCase())) ?? (words.includes("dong") ? "VND" : undefined);
  const sign = ["€", "£", "₫"].find((one) => header.includes(one));
  const currency = toCurrency(code ?? sign ?? "");
  const scale = words.some((word) => THOUSANDS.has(word)) ? 1_000 : 1;
  return { scale, ...(currency === undefined ? {} : { currency }) };
}
