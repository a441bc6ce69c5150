/**
 * Hosts: what `tables/sources.tsv` says about each live source, and how its host is asked.
 */
import { z } from "zod";
import { readTable, toNames } from "../tables.ts";
import { HttpSource, type HttpSourceOptions } from "./http/http-source.ts";
import { judgeStatus, type OpenSourceOptions } from "./open-source.ts";

/** `open`: official or documented, without a key. `unofficial`: for personal use, on this machine alone. */
const Group = z.enum(["open", "unofficial", "keyed"]);
export type SourceGroup = z.infer<typeof Group>;

/** Where a listing is traded. */
const Market = z.enum(["US", "VN", "coins"]);
export type Market = z.infer<typeof Market>;

/** A row of the table. */
export interface SourceRow {
  /** As in `provenance.source` and in `--without`. */
  readonly name: string;
  readonly title: string;
  /** As messages call it. */
  readonly label: string;
  readonly group: SourceGroup;
  /** Markets whose listings it has; any if it is not about listings. */
  readonly markets?: readonly Market[];
  /** Time that one request may take, so that sources after it in a chain still have some. */
  readonly timeoutMs: number;
  /** The setting without which it does not work, beside the switch of its group. */
  readonly needs?: string;
  readonly rate: Readonly<{ burst: number; perSecond: number }>;
  readonly hosts: readonly string[];
}

/** All live sources. */
export const SOURCE_ROWS: readonly SourceRow[] = readTable("sources").map((cells) => {
  const [name = "", title = "", label = "", group, markets = "", timeoutMs, needs, burst, perMinute, hosts] = cells;
  return {
    name,
    title,
    label,
    group: Group.parse(group),
    ...(markets === "" ? {} : { markets: z.array(Market).parse(toNames(markets)) }),
    timeoutMs: Number(timeoutMs),
    ...(needs === "" || needs === undefined ? {} : { needs }),
    rate: { burst: Number(burst), perSecond: Number(perMinute) / 60 },
    hosts: toNames(hosts),
  };
});

type Own = Partial<Omit<HttpSourceOptions, "name" | "baseUrl" | "baseUrlSetting">>;

/** Opens the host of a source by its row; `own` is what differs at this source. */
export function openHost(source: string, { baseUrl, limits = {} }: OpenSourceOptions, own: Own = {}): HttpSource {
  const row = SOURCE_ROWS.find(({ name }) => name === source);
  if (row === undefined) throw new Error(`there is no source ${source}`);
  return new HttpSource({
    name: source,
    baseUrl: baseUrl ?? `https://${row.hosts[0] ?? ""}`,
    baseUrlSetting: `${source.toUpperCase()}_BASE_URL`,
    rate: row.rate,
    judge: (answer, _request, now) => judgeStatus(row.label, answer, now),
    ...own,
    limits: { ...own.limits, ...limits },
  });
}
