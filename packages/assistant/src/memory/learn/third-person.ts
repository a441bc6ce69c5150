/**
 * Third person: what a model writes of the user (`User likes tea`, `Prefers short answers`, `Name: Lan`) as the user
 * would say it.
 */
import type { Clause } from "./clause.ts";
import { isWord } from "./pattern.ts";
import type { Token } from "./token.ts";

const VERBS: ReadonlyMap<string, readonly string[]> = new Map(
  (
    "is:am has:have does:do likes:like loves:love prefers:prefer enjoys:enjoy hates:hate dislikes:dislike avoids:avoid " +
    "lives:live works:work speaks:speak wants:want plans:plan hopes:hope aims:aim invests:invest trades:trade uses:use " +
    "needs:need takes:take goes:go saves:save intends:intend resides:reside doesn't:do_not isn't:am_not"
  )
    .split(" ")
    .map((pair) => {
      const [from = "", to = ""] = pair.split(":");
      return [from, to.split("_")] as const;
    }),
);
const NOUNS = [
  "name",
  "risk",
  "goal",
  "language",
  "currency",
  "time",
  "timezone",
  "favorite",
  "favourite",
  "age",
  "aim",
];
const SELF = ["i", "my", "tôi", "mình"];

/** The clause as the user would say it. */
export function toFirstPerson(clause: Clause): Clause {
  const { tokens } = clause;
  const rest = withoutUser(tokens);
  const [first, ...others] = rest;
  if (first === undefined || SELF.some((word) => isWord(first, word))) return clause;
  const verb = VERBS.get(first.word);
  const made = (word: string): Token => ({ ...first, word, bare: word, end: first.start });
  if (verb !== undefined) return { ...clause, tokens: [made("i"), ...verb.map(made), ...others] };
  if (NOUNS.includes(first.word)) return { ...clause, tokens: [made("my"), ...rest] };
  if (["tên", "mục", "khẩu", "múi"].some((word) => isWord(first, word))) return clause;
  if (["thích", "không", "sống", "muốn", "ghét"].some((word) => isWord(first, word))) {
    return { ...clause, tokens: [made("tôi"), ...rest] };
  }
  return rest === tokens ? clause : { ...clause, tokens: [made("i"), ...rest] };
}

/** The words without `the user`, `user's`, `người dùng`. */
function withoutUser(tokens: readonly Token[]): readonly Token[] {
  const [first, second] = tokens;
  if (first?.word === "the" && isUser(second)) return tokens.slice(2);
  if (isUser(first)) return tokens.slice(1);
  return first?.bare === "nguoi" && second?.bare === "dung" ? tokens.slice(2) : tokens;
}

const isUser = (token: Token | undefined): boolean => token?.word === "user" || token?.word === "user's";
