/**
 * Listing names: what answers call a listing.
 */
import { withoutLegal } from "../../market/directory/company-name.ts";

type Named = Readonly<{ symbol: string; name: string; type?: string }>;

/** The names of a listing: whole, without its legal form, the part in brackets, and the symbol without its market. */
export function namesOf({ symbol, name, type }: Named): readonly string[] {
  const open = name.indexOf("(");
  const inBrackets = open === -1 ? [] : [name.slice(open + 1, name.indexOf(")", open))];
  const bare = (open === -1 ? name : name.slice(0, open)).trim();
  const plain = withoutLegal(bare.toLowerCase().replaceAll(/[.,]/g, " ").replaceAll(/\s+/g, " ").trim());
  const short = type === "crypto" ? symbol.replace(/USD[TC]?$/, "") : symbol.replace(/\.VN$/, "");
  return [...new Set([name, bare, plain, short, ...inBrackets])].filter((one) => one.length > 1);
}
