/**
 * Fake SEC: the EDGAR system on loopback, all its hosts on one server, in the shapes and with the faults of the real
 * one. Figures are invented, and add up. Magic tickers (ZZ403, ZZHTML …) are companies whose data fails.
 */
import { FAKE_COMPANIES, type FakeCompany, toFacts, toReports } from "./fake-sec-books.ts";
import { type FakeFiler, toFilers, toSubmissions } from "./fake-sec-filings.ts";
import { FakeServer, type Reply, type Seen } from "../fake-server.ts";
import { toFaultReply } from "../fault-symbols.ts";
import { z } from "zod";

/** Settings of the fake system. */
export interface FakeSecOptions {
  /** The last day with filings, YYYY-MM-DD. */
  readonly today?: string;
  /** Tickers whose newest report is filed, but not yet among the facts. */
  readonly lagging?: readonly string[];
  /** Requests after which every answer is that there were too many. */
  readonly quota?: number;
  /** The number of filings that a search finds. */
  readonly hits?: number;
  readonly elsewhere?: string;
}

export type FakeSec = FakeServer;

const MAGIC = [
  "ZZ403",
  "ZZ403RATE",
  "ZZ404",
  "ZZ429",
  "ZZ500",
  "ZZSLOW",
  "ZZHTML",
  "ZZHTMLJSON",
  "ZZCUT",
  "ZZBOMB",
  "ZZBIG",
  "ZZTYPE",
  "ZZJSON",
  "ZZREDIR",
  "ZZREDIRHOST",
  "ZZREDIRFILE",
  "ZZSHAPE",
  "ZZOTHER",
  "ZZNOFACTS",
];
const MAGIC_CIK = 1_999_000;
const MAX_HITS = 10_000;

const page = (status: number, title: string): Reply => ({
  status,
  headers: { "content-type": "text/html" },
  body: `<!DOCTYPE html><html><head><title>SEC.gov | ${title}</title></head><body><h1>${title}</h1></body></html>`,
});
const json = (value: unknown): Reply => ({ body: JSON.stringify(value) });
const UNDECLARED = page(403, "Your Request Originates from an Undeclared Automated Tool");
const RATE = page(429, "Request Rate Threshold Exceeded");
const MISSING: Reply = {
  status: 404,
  headers: { "content-type": "application/xml" },
  body: "<Error><Code>NoSuchKey</Code></Error>",
};

/** Starts one: `await using sec = await FakeSec.start()`; its URL is that of all three hosts. */
export const FakeSec = {
  start: (options: FakeSecOptions = {}): Promise<FakeSec> => {
    let asked = 0;
    const factsOf = memoize((company: FakeCompany) =>
      toFacts(company, toReports(company, options.today ?? "2026-03-06")),
    );
    return FakeServer.start((seen) => {
      if (!(seen.headers["user-agent"] ?? "").includes("@")) return UNDECLARED;
      if (++asked > (options.quota ?? Infinity)) return RATE;
      const reply = seen.path.startsWith("/api/xbrl/frames/") ? toFrame(seen.path, factsOf) : toReply(seen, options);
      return toConditional(seen, reply);
    });
  },
  /** The base URLs for a source. */
  baseUrls: ({ url }: FakeSec) => ({ www: url, data: url, search: url }),
};

/** The real hosts answer a known version with 304 and no body. */
function toConditional(seen: Seen, reply: Reply): Reply {
  if ((reply.status ?? 200) !== 200 || reply.end !== undefined || typeof reply.body !== "string") return reply;
  const etag = `"${reply.body.length}-${seen.path}"`;
  if (seen.headers["if-none-match"] === etag) return { status: 304, body: "" };
  return { ...reply, headers: { ...reply.headers, etag } };
}

function toReply(seen: Seen, options: FakeSecOptions): Reply {
  const { path } = seen;
  const filers = toFilers(options.today ?? "2026-03-06");
  if (path === "/files/company_tickers.json") return json(toTickers(filers));
  if (path === "/LATEST/search-index") return toSearch(seen, filers, options);
  const cik = Number(/\/(?:CIK|data\/)(\d+)/.exec(path)?.[1] ?? 0);
  const symbol = MAGIC[cik - MAGIC_CIK];
  const magic = symbol === undefined ? undefined : (toFault(symbol, cik) ?? toFaultReply(symbol, options.elsewhere));
  if (magic !== undefined) return magic;
  const filer = filers.find((each) => each.cik === cik);
  if (filer === undefined) return MISSING;
  if (path.startsWith("/submissions/")) {
    const { whole, older } = toSubmissions(filer);
    return json(path.includes("-submissions-") ? older : whole);
  }
  if (path.startsWith("/api/xbrl/")) return toXbrl(path, filer, options);
  return path.startsWith("/Archives/") ? toDocument(path, filer) : MISSING;
}

function toTickers(filers: readonly FakeFiler[]) {
  const known = filers.flatMap(({ cik, name, tickers }) =>
    tickers.map((ticker) => ({ cik_str: cik, ticker, title: name })),
  );
  const magic = MAGIC.map((ticker, at) => ({ cik_str: MAGIC_CIK + at, ticker, title: ticker }));
  return Object.fromEntries([...known, ...magic].map((row, at) => [`${at}`, row]));
}

function toFault(symbol: string, cik: number): Reply | undefined {
  switch (symbol) {
    case "ZZ403":
      return UNDECLARED;
    case "ZZ403RATE":
      return { ...RATE, status: 403 };
    case "ZZ404":
      return MISSING;
    case "ZZ429":
      return RATE;
    case "ZZSHAPE":
      return json({ cik, facts: [1], filings: {} });
    case "ZZOTHER":
      return json({
        cik: 1,
        entityName: "Other",
        name: "Other",
        facts: {},
        filings: { recent: { accessionNumber: [] } },
      });
    case "ZZNOFACTS":
      return json({
        cik: `${cik}`.padStart(10, "0"),
        name: "x",
        facts: {},
        filings: { recent: { accessionNumber: [] } },
      });
    default:
      return undefined;
  }
}

function toXbrl(path: string, { cik }: FakeFiler, { today = "2026-03-06", lagging = [] }: FakeSecOptions): Reply {
  const company = FAKE_COMPANIES.find((each) => each.cik === cik);
  if (company === undefined) return MISSING;
  const reports = toReports(company, today);
  const isLagging = company.tickers.some((ticker) => lagging.includes(ticker));
  const facts = toFacts(company, isLagging ? reports.slice(0, -1) : reports);
  // The real answers have the CIK as a number, or as text with zeros.
  if (path.includes("/companyfacts/")) return json({ cik, entityName: company.name, facts });
  const [taxonomy = "", tag = ""] = path.replace(".json", "").split("/").slice(-2);
  const concept = facts[taxonomy]?.[tag];
  if (typeof concept !== "object" || concept === null) return MISSING;
  return json({ cik: `${cik}`.padStart(10, "0"), taxonomy, tag, entityName: company.name, ...concept });
}

/** A row for each company that reports the concept: of the year or the day that is nearest to the calendar's. */
function toFrame(path: string, factsOf: (company: FakeCompany) => ReturnType<typeof toFacts>): Reply {
  const [taxonomy = "", tag = "", uom = "", frame = ""] = path.replace(".json", "").split("/").slice(-4);
  const unit = uom.replace("-per-", "/");
  const data = FAKE_COMPANIES.flatMap((company) => {
    const concept = factsOf(company)[taxonomy]?.[tag];
    const rows = Facts.safeParse(concept).data?.units[unit] ?? [];
    const fact = rows
      .filter((row) => toFrameName(row) === frame)
      .toSorted((a, b) => (a.filed < b.filed ? -1 : 1))
      .at(-1);
    if (fact === undefined) return [];
    const { accn, start, end, val } = fact;
    const span = start === undefined ? { end } : { start, end };
    return [{ accn, cik: company.cik, entityName: company.name, loc: "US-CA", ...span, val }];
  });
  if (data.length === 0) return MISSING;
  return json({ taxonomy, tag, ccp: frame, uom, label: tag, description: "", pts: data.length, data });
}

function memoize<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}

const Facts = z.object({
  units: z.record(
    z.string(),
    z.array(
      z.object({
        start: z.string().optional(),
        end: z.string(),
        val: z.number(),
        accn: z.string(),
        filed: z.string(),
      }),
    ),
  ),
});

const DAY_MS = 86_400_000;

/** The calendar year, quarter or day that a fact is nearest to; undefined for a year to date. */
function toFrameName({ start, end }: Readonly<{ start?: string | undefined; end: string }>): string | undefined {
  const endMs = Date.parse(end);
  if (start === undefined) {
    const near = new Date(endMs - 45 * DAY_MS);
    return `CY${near.getUTCFullYear()}Q${Math.floor(near.getUTCMonth() / 3) + 1}I`;
  }
  const days = (endMs - Date.parse(start)) / DAY_MS + 1;
  const middle = new Date((endMs + Date.parse(start)) / 2);
  if (days >= 330 && days <= 380) return `CY${middle.getUTCFullYear()}`;
  return days <= 120 ? `CY${middle.getUTCFullYear()}Q${Math.floor(middle.getUTCMonth() / 3) + 1}` : undefined;
}

function toDocument(path: string, { filings }: FakeFiler): Reply {
  const [directory = "", name = ""] = path.split("/").slice(5);
  const filing = filings.find(({ accn }) => accn.replaceAll("-", "") === directory);
  if (filing === undefined) return MISSING;
  if (name === "index.json") {
    const item = [...filing.files.keys()].map((file) => ({ name: file, type: "text.gif", size: "1000" }));
    return json({
      directory: { name: path, item: [...item, { name: "0001-index.html", type: "text.gif", size: "" }] },
    });
  }
  const body = filing.files.get(name);
  if (body === undefined) return MISSING;
  return { body, headers: { "content-type": name.endsWith(".xml") ? "text/xml" : "text/html" } };
}

function toSearch({ query }: Seen, filers: readonly FakeFiler[], { hits = 3, elsewhere }: FakeSecOptions): Reply {
  const text = (query.get("q") ?? "").replaceAll('"', "");
  const magic = toFaultReply(text, elsewhere);
  if (magic !== undefined) return magic;
  const forms = (query.get("forms") ?? "").split(",").filter(Boolean);
  const ciks = (query.get("ciks") ?? "").split(",").filter(Boolean).map(Number);
  const is13F = forms.some((form) => form.startsWith("13F"));
  const from = Number(query.get("from") ?? 0);
  if (from + 100 > MAX_HITS + 100) return { status: 500, body: '{"errorMessage":"Result window is too large"}' };
  const found = filers
    .filter(({ cik }) => ciks.length === 0 || ciks.includes(cik))
    .filter(({ name }) => !is13F || name.toLowerCase().startsWith(text.toLowerCase().split(" ")[0] ?? ""))
    .flatMap((filer) => filer.filings.map((filing) => ({ filer, filing })))
    .filter(({ filing }) => forms.length === 0 || forms.includes(filing.form))
    .filter(
      ({ filing }) => filing.filed >= (query.get("startdt") ?? "") && filing.filed <= (query.get("enddt") ?? "9"),
    );
  const all = text === "nothing" ? [] : found;
  const total = Math.max(all.length, all.length === 0 ? 0 : hits);
  const rows = all.slice(from, from + 100).map(({ filer: { cik, name }, filing }) => ({
    _id: `${filing.accn}:${filing.document}`,
    _source: {
      display_names: [`${name}  (CIK ${`${cik}`.padStart(10, "0")})`],
      ciks: [`${cik}`.padStart(10, "0")],
      form: filing.form,
      file_date: filing.filed,
      period_ending: filing.reportDate === "" ? null : filing.reportDate,
      adsh: filing.accn,
    },
  }));
  const relation = total >= MAX_HITS ? "gte" : "eq";
  return json({ hits: { total: { value: Math.min(total, MAX_HITS), relation }, hits: rows }, aggregations: {} });
}
