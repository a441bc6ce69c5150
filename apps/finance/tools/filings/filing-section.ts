/**
 * Filing section tool: one item of a report, as its company wrote it. The text is untrusted: it is quoted, never
 * followed, and its numbers are not figures.
 */
import { z } from "zod";
import { toAccession } from "../../market/sources/sec/cik.ts";
import { cutText } from "../../market/sources/sec/documents/cut-text.ts";
import { toFilingLine, toShownFiling } from "./filings.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { toSafeText } from "../shared/untrusted.ts";

const TTL_MS = 7 * 24 * 60 * 60_000;
const ACCESSION = /^\d{10}-?\d{2}-?\d{6}$/;
const MAX_HEADING = 250;
/** Maximum length of one quoted line of a digest. */
const LINE_CHARS = 280;

/** A section of a filing. */
export const readFilingSectionTool = defineMarketTool({
  name: "readFilingSection",
  category: "beyond",
  asks: "filingSection",
  description:
    "Reads one section of an SEC filing by its accession number: item 1, 1A (risks), 7 (MD&A), 7A, 8, or an item of an 8-K. Its numbers are no evidence.",
  input: z.strictObject({
    accession: z
      .string()
      .trim()
      .regex(ACCESSION, "not an accession number such as 0000320193-24-000123")
      .describe("Accession number of the filing, such as 0000320193-24-000123, with or without dashes"),
    section: z
      .string()
      .trim()
      .min(1)
      .max(80)
      .describe("1, 1A, 7, 7A, 8, risk factors, MD&A; of an 8-K its item such as 2.02"),
    max_chars: z
      .int()
      .min(200)
      .max(50_000)
      .default(8_000)
      .describe("At most so many characters, ending with a sentence, 200 to 50000; default 8000"),
  }),
  ttlMs: TTL_MS,
  timeoutMs: 40_000,
  run: async ({ accession: text, section, max_chars: maxChars }, { market, context: { scope } }) => {
    const accession = toAccession(text) ?? text;
    const { data, provenance } = await market.filingSection({ accession, section, maxChars }, scope);
    const whole = toSafeLines(data.text);
    const shown = cutText(whole, maxChars);
    const about = {
      section: toSafeText(data.section, 40),
      heading: toSafeText(data.heading, MAX_HEADING),
      text: shown,
      is_cut: data.isCut || shown.length < whole.length,
      total_chars: data.totalChars,
    };
    return { data: { ...toShownFiling(data), ...about }, provenance };
  },
  figures: () => [],
  describe: ({ heading, text, is_cut, total_chars, ...filing }) => [
    `${toFilingLine(filing)}, ${heading}`,
    ...toQuotedLines(text),
    ...(is_cut ? [`(cut: the section has ${total_chars} characters)`] : []),
  ],
});

/** The lines of a text, each without characters that nobody sees; blank ones are left out. */
function toSafeLines(text: string): string {
  const lines = text.split("\n").map((line) => toSafeText(line, Math.max(1, line.length)));
  return lines.filter((line) => line !== "").join("\n");
}

/** Lines that a digest shows whole, broken at sentences if they can be. */
function toQuotedLines(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const parts: string[] = [];
    for (let rest = line; rest !== "";) {
      const part = cutText(rest, LINE_CHARS);
      parts.push(part);
      rest = rest.slice(part.length).trimStart();
    }
    return parts;
  });
}
