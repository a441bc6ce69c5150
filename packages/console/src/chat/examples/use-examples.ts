/**
 * Use examples: what there is to try: of the crew that the reader has chosen, or one thing for each ability.
 */
import { useMemo } from "react";
import { useApp } from "../../app-context.ts";
import { chooseExamples, type Example, examplesOf } from "./examples.ts";
import { type CrewCatalog, useAllCrews } from "../use-crew-catalog.ts";

/** Nothing until all crews are known. */
export function useExamples(book: CrewCatalog, chosen: string | undefined): readonly Example[] {
  const { language } = useApp().settings;
  const { crews = [], details, missing } = book;
  useAllCrews(book);
  const isAll = crews.every(({ id, examples }) => examples.length === 0 || details.has(id) || missing.has(id));
  const known = crews.flatMap(({ id }) => details.get(id) ?? []);
  const own = details.get(chosen ?? "");
  return useMemo(() => {
    const ofOwn = own === undefined ? [] : examplesOf(own, language);
    if (ofOwn.length > 0) return ofOwn;
    return isAll ? chooseExamples(known, language) : [];
  }, [isAll, known.length, own, language]);
}
