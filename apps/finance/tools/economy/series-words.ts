/**
 * Series words: economic series by their names in English. Nothing is guessed: `GDP deflator` is not GDP.
 */
import { readTable, toNames } from "../../market/tables.ts";
import { toFolded } from "../shared/folded.ts";

/** A series: the name its sources know it by, and what results call it. */
export type SeriesName = Readonly<{ key: string; label: string; metric: string }>;

const BY_NAME: ReadonlyMap<string, SeriesName> = new Map(
  readTable("series-words").flatMap(([key = "", label = "", metric = "", names]) => {
    const series = { key, label, metric };
    return [key, label, metric, ...toNames(names)].map((name) => [toFolded(name), series] as const);
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
