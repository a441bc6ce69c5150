/**
 * Filing words: what forms and the items of an 8-K are called, and which form people mean.
 */
import { readPairs } from "../../market/tables.ts";
import { toFolded } from "../shared/folded.ts";

const FORM_NAMES = readPairs("filings/forms");

/** Common names of forms, folded. */
const SPOKEN = readPairs("filings/form-words");

/** The items of an 8-K. */
const ITEMS = readPairs("filings/form-8k-items");

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
