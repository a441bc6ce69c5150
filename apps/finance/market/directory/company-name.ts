/**
 * Company name: what people call a company, derived from its registered name: legal forms, share classes and
 * descriptions of securities are left out ("Coca-Cola Company (The)" is `coca cola`).
 */
import { joinInitials, toWords } from "./words.ts";

/** Ends of names that say nothing about who it is. */
const LEGAL: ReadonlySet<string> = new Set(
  (
    "inc incorporated corp corporation co company companies ltd limited plc llc lp llp sa sab ag nv se ab asa as spa oyj " +
    "kgaa gmbh bhd berhad tbk pt pcl pjsc jsc adr ads new the cv de bv kk pte pty intl hldgs hldg grp incorporation"
  ).split(" "),
);

/** From here on a name describes the security, not the company. */
const SECURITY: ReadonlySet<string> = new Set(
  (
    "common ordinary class non depositary depository preferred perpetual cumulative noncumulative convertible notes note " +
    "debentures series warrant warrants units rights registry sponsored unsponsored beneficial fixed floating redeemable " +
    "subordinated junior senior dep pfd voting representing zones"
  ).split(" "),
);

/** A name taken apart. */
export interface CompanyName {
  /** Words people use, joined by spaces. */
  readonly core: string;
  /** The same with `'s` as an `s`, if a word has one: `mcdonalds`. */
  readonly plural: string | undefined;
  /** It names a preferred share, a note or another security that is not the common share. */
  readonly isSecondary: boolean;
}

/** Derives the names in common use from a registered name. */
export function parseCompanyName(name: string): CompanyName {
  const words = toWords(withoutBrackets(name));
  const hasRate = name.includes("%");
  const security = words.findIndex(({ key }, at) => at > 0 && (SECURITY.has(key) || (hasRate && /^[0-9]/.test(key))));
  const kept = security < 0 ? words : words.slice(0, security);
  const keys = trimEnds(joinInitials(kept.map(({ key }) => key)));
  const isSecondary = security > 0 && words.slice(security).some(({ key }) => SECONDARY.has(key));
  const plural = kept.some(({ isPossessive }) => isPossessive)
    ? trimEnds(joinInitials(kept.map(({ key, isPossessive }) => (isPossessive ? `${key}s` : key)))).join(" ")
    : undefined;
  return { core: keys.join(" "), plural, isSecondary };
}

const SECONDARY: ReadonlySet<string> = new Set(
  "preferred perpetual cumulative convertible notes note debentures warrant warrants rights pfd zones subordinated".split(
    " ",
  ),
);

/** The key without legal forms at its end: `wells fargo` for `wells fargo company`. */
export function withoutLegal(key: string): string {
  return trimEnds(key.split(" ")).join(" ");
}

/** Without `(The)`, `.com`, `/DE/` and the like. */
function withoutBrackets(name: string): string {
  const open = name.indexOf("(");
  const bare = open > 0 ? `${name.slice(0, open)} ${name.slice(afterBracket(name, open))}` : name;
  return bare.includes(".com") || bare.includes(".COM") ? bare.replaceAll(".com", " ").replaceAll(".COM", " ") : bare;
}

function afterBracket(name: string, open: number): number {
  const close = name.indexOf(")", open);
  return close < 0 ? name.length : close + 1;
}

function trimEnds(keys: readonly string[]): readonly string[] {
  let start = 0;
  let end = keys.length;
  if (keys[0] === "the" && end > 1) start = 1;
  while (end > start + 1 && LEGAL.has(keys[end - 1] ?? "")) end--;
  return keys.slice(start, end);
}
