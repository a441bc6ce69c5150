/**
 * Filing words: what forms and the items of an 8-K are called, and which form people mean.
 */
import { toFolded } from "../shared/folded.ts";

const FORM_NAMES: ReadonlyMap<string, string> = new Map([
  ["10-K", "annual report"],
  ["10-Q", "quarterly report"],
  ["8-K", "current report"],
  ["20-F", "annual report of a foreign company"],
  ["40-F", "annual report of a Canadian company"],
  ["6-K", "current report of a foreign company"],
  ["DEF 14A", "proxy statement"],
  ["S-1", "registration of new securities"],
  ["3", "first statement of an insider's holdings"],
  ["4", "change of an insider's holdings"],
  ["5", "annual statement of an insider's holdings"],
  ["144", "notice of a proposed sale by an insider"],
  ["13F-HR", "holdings of an institutional manager"],
  ["SC 13D", "holding of more than 5 % with intent to influence"],
  ["SC 13G", "passive holding of more than 5 %"],
  ["SCHEDULE 13D", "holding of more than 5 % with intent to influence"],
  ["SCHEDULE 13G", "passive holding of more than 5 %"],
  ["424B2", "prospectus"],
  ["424B5", "prospectus"],
  ["11-K", "annual report of an employee stock plan"],
]);

/** Common names of forms, folded. */
const SPOKEN: ReadonlyMap<string, string> = new Map([
  ["annual report", "10-K"],
  ["annual", "10-K"],
  ["bao cao thuong nien", "10-K"],
  ["bao cao nam", "10-K"],
  ["quarterly report", "10-Q"],
  ["quarterly", "10-Q"],
  ["bao cao quy", "10-Q"],
  ["current report", "8-K"],
  ["press release", "8-K"],
  ["bao cao bat thuong", "8-K"],
  ["proxy", "DEF 14A"],
  ["proxy statement", "DEF 14A"],
  ["insider", "4"],
  ["insider trades", "4"],
  ["giao dich noi bo", "4"],
]);

/** The items of an 8-K. */
const ITEMS: ReadonlyMap<string, string> = new Map(
  `1.01 Entry into a material definitive agreement
1.02 Termination of a material definitive agreement
1.03 Bankruptcy or receivership
1.04 Mine safety
1.05 Material cybersecurity incident
2.01 Completion of an acquisition or disposition of assets
2.02 Results of operations and financial condition
2.03 Creation of a direct financial obligation
2.04 Event that accelerates a financial obligation
2.05 Costs of exit or disposal activities
2.06 Material impairments
3.01 Notice of delisting or failure to satisfy a listing rule
3.02 Unregistered sales of equity securities
3.03 Material modification of the rights of security holders
4.01 Changes in the certifying accountant
4.02 Non-reliance on earlier financial statements
5.01 Changes in control
5.02 Departure, election or appointment of directors or officers
5.03 Amendments to articles or bylaws, or change of the fiscal year
5.04 Suspension of trading under employee benefit plans
5.05 Amendments to the code of ethics
5.06 Change in shell company status
5.07 Submission of matters to a vote of security holders
5.08 Nominations of directors by shareholders
7.01 Regulation FD disclosure
8.01 Other events
9.01 Financial statements and exhibits`
    .split("\n")
    .map((line) => [line.slice(0, 4), line.slice(5)]),
);

/** Returns the common name of a form; undefined if it has none. An amendment is called as the form it amends. */
export function toFormName(form: string): string | undefined {
  const plain = form.replace(/\/A$/i, "");
  const name = FORM_NAMES.get(plain.toUpperCase());
  return name === undefined || plain === form ? name : `${name}, amended`;
}

/** Returns the title of an item of an 8-K. */
export const toItemTitle = (item: string): string | undefined => ITEMS.get(item);

/** A form as the SEC writes it, from `10k`, `form 4`, `annual report`. */
export function toForm(text: string): string {
  const folded = toFolded(text);
  const spoken = SPOKEN.get(folded) ?? SPOKEN.get(folded.replace(/s$/, ""));
  if (spoken !== undefined) return spoken;
  const plain = text
    .trim()
    .toUpperCase()
    .replace(/^FORMS?\s+/, "")
    .replace(/\s+/g, " ");
  const glued = /^(10|8|20|40|6|11)\s?(K|Q|F)(\/A)?$/.exec(plain);
  return glued === null ? plain : `${glued[1] ?? ""}-${glued[2] ?? ""}${glued[3] ?? ""}`;
}
