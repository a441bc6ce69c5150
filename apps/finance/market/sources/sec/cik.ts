/**
 * CIK: the number by which the SEC knows a company, and the accession number by which it knows a filing.
 */
import { z } from "zod";

/** A CIK comes as a number or as text, with or without leading zeros; read, it is ten digits. */
export const Cik = z.union([z.int().nonnegative(), z.string()]).transform((value, context) => {
  const cik = toCik(`${value}`);
  if (cik !== undefined) return cik;
  context.addIssue({ code: "custom", message: "not a CIK" });
  return z.NEVER;
});

/** Ten digits, from `320193`, `0000320193` or `CIK0000320193`; undefined if the text is not a CIK. */
export function toCik(text: string): string | undefined {
  const digits = text.trim().replace(/^CIK[ #:]{0,3}/i, "");
  return /^\d{1,10}$/.test(digits) && Number(digits) > 0 ? digits.padStart(10, "0") : undefined;
}

/** `0000320193-24-000123`, from that or the same without dashes; undefined if the text is not an accession number. */
export function toAccession(text: string): string | undefined {
  const match = /^(\d{10})-?(\d{2})-?(\d{6})$/.exec(text.trim());
  return match === null ? undefined : match.slice(1).join("-");
}

/** The CIK of the account that sent the filing: the company's own, or that of an agent. */
export const senderOf = (accession: string): string => accession.slice(0, 10);

/** The directory of a filing in the archives. */
export const toDirectory = (cik: string, accession: string): string =>
  `/Archives/edgar/data/${Number(cik)}/${accession.replaceAll("-", "")}`;
