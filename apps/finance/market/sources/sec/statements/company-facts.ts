/**
 * Company facts: what a company's filings report, as rows of one concept in one unit.
 *
 * A fact is of a period, given by its start and end, or of a day. `fy`, `fp` and `form` say which filing it stands in,
 * not which period it is of.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { MarketError } from "../../../port/market-error.ts";
import { toDay } from "../../eastern.ts";
import { parseAnswer, toLine } from "../../rows.ts";
import { Cik, toAccession } from "../cik.ts";
import type { SecClient } from "../sec-client.ts";

/** One reported value. */
export interface ReportedFact {
  /** Absent for the value of a day. */
  readonly start?: string;
  readonly end: string;
  readonly value: number;
  readonly accession: string;
  readonly filed: string;
  /** Of the filing, such as `10-K`. */
  readonly form: string;
  /** The fiscal year of the filing. */
  readonly filingYear?: number;
}

/** The facts of one company by concept (`us-gaap:Assets`), then by unit (`USD`). */
export interface CompanyFacts {
  readonly cik: string;
  readonly concepts: ReadonlyMap<string, ReadonlyMap<string, readonly ReportedFact[]>>;
  readonly url: string;
  readonly fetchedAt: number;
}

/** One value of one company in a frame. */
export type FrameRow = Readonly<{
  cik: string;
  name: string;
  accession: string;
  start?: string;
  end: string;
  value: number;
}>;

/** The values of one concept for all companies, for a calendar year, quarter or day: `CY2024`, `CY2024Q4`, `CY2024Q4I`. */
export type FrameQuery = Readonly<{ concept: string; unit: string; frame: string }>;

const Row = z.looseObject({
  start: z.string().nullish(),
  end: z.string(),
  val: z.number(),
  accn: z.string(),
  fy: z.number().nullish(),
  form: z.string().nullish(),
  filed: z.string(),
});
const Units = z.record(z.string(), z.array(Row));
const Concept = z.looseObject({ units: Units });
const FactsAnswer = z.looseObject({ cik: Cik, facts: z.record(z.string(), z.record(z.string(), z.unknown())) });
const ConceptAnswer = z.looseObject({ cik: Cik, units: Units });
const FrameAnswer = z.looseObject({
  data: z.array(
    z.looseObject({
      cik: Cik,
      entityName: z.string(),
      accn: z.string(),
      start: z.string().nullish(),
      end: z.string(),
      val: z.number(),
    }),
  ),
});

const MAX_BYTES = 32_000_000;

/** Fetches the facts that a company reported of these concepts, in one large answer. */
export async function fetchFacts(
  { client, concepts }: Readonly<{ client: SecClient; concepts: ReadonlySet<string> }>,
  cik: string,
  scope: Scope,
): Promise<CompanyFacts> {
  const path = `/api/xbrl/companyfacts/CIK${cik}.json`;
  const what = `facts of CIK ${cik}`;
  const { text, url, fetchedAt } = await client.ask({ host: "data", path, what, maxBytes: MAX_BYTES }, scope);
  const answer = parseAnswer("the SEC", FactsAnswer, text);
  requireSame(answer.cik, cik);
  const found = new Map<string, ReadonlyMap<string, readonly ReportedFact[]>>();
  for (const concept of concepts) {
    const [taxonomy = "", tag = ""] = concept.split(":");
    const tags = Object.hasOwn(answer.facts, taxonomy) ? (answer.facts[taxonomy] ?? {}) : {};
    const parsed = Object.hasOwn(tags, tag) ? Concept.safeParse(tags[tag]) : undefined;
    if (parsed?.success === false)
      throw new MarketError("upstream", `the SEC answered in an unexpected shape (${tag})`);
    if (parsed !== undefined) found.set(concept, toUnits(parsed.data.units));
  }
  return { cik, concepts: found, url, fetchedAt };
}

/** Fetches the facts that a company reported of one concept, in a small answer. */
export async function fetchConcept(
  { client, concept }: Readonly<{ client: SecClient; concept: string }>,
  cik: string,
  scope: Scope,
): Promise<CompanyFacts> {
  const path = `/api/xbrl/companyconcept/CIK${cik}/${concept.replace(":", "/")}.json`;
  const { text, url, fetchedAt } = await client.ask({ host: "data", path, what: `${concept} of CIK ${cik}` }, scope);
  const answer = parseAnswer("the SEC", ConceptAnswer, text);
  requireSame(answer.cik, cik);
  return { cik, concepts: new Map([[concept, toUnits(answer.units)]]), url, fetchedAt };
}

/** The values of one concept for every company that reported it. */
export async function fetchFrame(client: SecClient, query: FrameQuery, scope: Scope) {
  const { concept, unit, frame } = query;
  const path = `/api/xbrl/frames/${concept.replace(":", "/")}/${unit.replace("/", "-per-")}/${frame}.json`;
  const what = `${concept} for ${frame}`;
  const { text, url, fetchedAt } = await client.ask({ host: "data", path, what, maxBytes: MAX_BYTES }, scope);
  const rows = parseAnswer("the SEC", FrameAnswer, text).data.flatMap((row): FrameRow[] => {
    const end = toDay(row.end);
    const accession = toAccession(row.accn);
    if (end === undefined || accession === undefined) return [];
    const start = toDay(row.start ?? undefined);
    return [
      { cik: row.cik, name: toLine(row.entityName, 150), accession, end, value: row.val, ...omitUndefined({ start }) },
    ];
  });
  return { rows, url, fetchedAt };
}

function toUnits(units: z.infer<typeof Units>): ReadonlyMap<string, readonly ReportedFact[]> {
  return new Map(Object.entries(units).map(([unit, rows]) => [unit, rows.flatMap(toFact)]));
}

function toFact({ start, end, val, accn, fy, form, filed }: z.infer<typeof Row>): readonly ReportedFact[] {
  const days = { start: toDay(start ?? undefined), end: toDay(end), filed: toDay(filed) };
  const accession = toAccession(accn);
  const isBroken = (typeof start === "string" && days.start === undefined) || accession === undefined;
  if (isBroken || days.end === undefined || days.filed === undefined) return [];
  const optional = { start: days.start, filingYear: fy ?? undefined };
  return [{ end: days.end, value: val, accession, filed: days.filed, form: form ?? "", ...omitUndefined(optional) }];
}

function requireSame(answered: string, asked: string): void {
  if (answered !== asked) throw new MarketError("upstream", "the SEC answered with facts of another company");
}
