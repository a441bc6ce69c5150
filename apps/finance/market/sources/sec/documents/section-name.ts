/**
 * Section name: which section of a report a text asks for: by its item (`1A`, `Item 1A. Risk Factors`, `2.02`) or by what
 * people call it, in English or Vietnamese.
 */
import { omitUndefined } from "@baton/core/util";
import { foldText } from "../../../directory/words.ts";

/** A section as it is named: `1A`, `2.02`, in a 10-Q with its part. */
export interface SectionName {
  readonly item: string;
  readonly part?: "I" | "II" | "III" | "IV";
}

export type FormKind = "annual" | "quarterly" | "current";

export const PART = "part\\s+(i{1,3}|iv)";
export const ITEM = "\\d{1,2}(?:\\.\\d{2}|[a-c](?![a-z]))?";

const MAX_CHARS = 120;
const ASKED = new RegExp(
  `^(?:form\\s+)?(?:(?:10-?k|10-?q|8-?k)\\s+)?(?:${PART}[\\s,.:—–-]{0,5})?(items?\\s{0,3}|muc\\s{0,3})?(${ITEM})(?![\\w])(.{0,100})$`,
  "i",
);

type Named = Readonly<{ annual?: SectionName; quarterly?: SectionName; current?: SectionName }>;

/** Names between slashes, folded, then the item in a 10-K, in a 10-Q with its part, and in an 8-K; `-` if it has none. */
const TABLE = `
business/business description/description of business/hoat dong kinh doanh/mo ta kinh doanh|1|-|-
risk factors/risks/yeu to rui ro/rui ro|1A|II 1A|-
unresolved staff comments|1B|-|-
cybersecurity/an ninh mang|1C|-|1.05
properties/tai san co dinh/bat dong san|2|-|-
legal proceedings/litigation/lawsuits/kien tung/to tung|3|II 1|-
md&a/mda/management's discussion/managements discussion/management discussion/thao luan va phan tich/thao luan cua ban/giai trinh cua ban|7|I 2|-
results of operations/ket qua hoat dong/results/earnings/ket qua kinh doanh|7|I 2|2.02
market risk/quantitative and qualitative disclosures/rui ro thi truong|7A|I 3|-
financial statements/bao cao tai chinh|8|I 1|9.01
controls and procedures/internal controls/kiem soat noi bo|9A|I 4|-
directors/directors and officers/departure of directors/nhan su|10|-|5.02
executive compensation/thu lao|11|-|-
exhibits/phu luc|15|II 6|9.01
material agreement/material definitive agreement/hop dong|-|-|1.01
bankruptcy/pha san|-|-|1.03
acquisition/completion of acquisition/sap nhap/mua lai|-|-|2.01
delisting/huy niem yet|-|-|3.01
auditor/accountant/kiem toan vien|-|-|4.01
regulation fd/reg fd|-|-|7.01
other events/su kien khac|-|-|8.01`;

const NAMES: readonly (readonly [name: string, named: Named])[] = TABLE.trim()
  .split("\n")
  .flatMap((line) => {
    const [names = "", annual = "", quarterly = "", current = ""] = line.split("|");
    const named = omitUndefined({ annual: toName(annual), quarterly: toName(quarterly), current: toName(current) });
    return names.split("/").map((name) => [name, named] as const);
  })
  .toSorted(([one], [other]) => other.length - one.length);

/** Parses the name of a section; undefined if the text is not one. */
export function parseSection(text: string, kind: FormKind): SectionName | undefined {
  const plain = foldText(text.slice(0, MAX_CHARS)).trim().replaceAll("’", "'");
  const [, part, word, item, rest = ""] = ASKED.exec(plain) ?? [];
  // `7 risks` may be anything; `item 7 risks` and `7. Risks` are headings
  const isHeading = word !== undefined || rest.trim() === "" || /^[.:,—–-](?!\d)/.test(rest.trim());
  if (item !== undefined && isHeading) {
    return { item: item.toUpperCase(), ...omitUndefined({ part: toPart(part) }) };
  }
  const padded = ` ${plain
    .replaceAll(/[.,:;()]/g, " ")
    .split(/\s+/)
    .join(" ")} `;
  return NAMES.find(([name, named]) => named[kind] !== undefined && padded.includes(` ${name} `))?.[1][kind];
}

/** The part of a report by its Roman number. */
export function toPart(text: string | undefined): SectionName["part"] {
  const part = text?.toUpperCase();
  return part === "I" || part === "II" || part === "III" || part === "IV" ? part : undefined;
}

/** `1A`, `II 1A`; undefined for `-`. */
function toName(text: string): SectionName | undefined {
  const [first = "", second] = text.split(" ");
  if (first === "-") return undefined;
  return second === undefined ? { item: first } : { item: second, ...omitUndefined({ part: toPart(first) }) };
}
