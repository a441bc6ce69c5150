/**
 * Form: a kind of question that the demo understands, as it is written in forms.txt.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Json } from "@baton/core";
import { omitUndefined, parseJson } from "@baton/core/util";
import { toKeys } from "./token.ts";

/** The languages that the demo speaks. */
export type DemoLanguage = "en" | "vi";

/** A phrase as words without case and marks, and its value if it is a choice. */
export type FormPhrase = Readonly<{ words: readonly string[]; value?: string }>;

/** Phrases of which each stands for a value. */
export type FormChoice = Readonly<{ name: string; phrases: readonly FormPhrase[]; isNeeded: boolean }>;

/** A kind of question. */
export interface Form {
  readonly id: string;
  /** The intent's `query_type`. */
  readonly type: string;
  /** The change that it asks for. */
  readonly want?: string;
  /** Each list must have a phrase in the question; `$name` stands for a choice. */
  readonly keys: readonly (readonly FormPhrase[])[];
  readonly words: readonly FormPhrase[];
  readonly choices: readonly FormChoice[];
  /** Phrases of which one begins the question; the rest is text or an expression. */
  readonly begins: readonly FormPhrase[];
  readonly rest?: "text" | "expression";
  readonly names: readonly [least: number, most: number];
  readonly numbers: readonly [least: number, most: number];
  readonly currencies: number;
  readonly hasPairs: boolean;
  /** It may name years. */
  readonly hasYears: boolean;
  readonly call?: Readonly<{ tool: string; args: Json }>;
  readonly lead: Readonly<Partial<Record<DemoLanguage, string>>>;
  readonly say: Readonly<Partial<Record<DemoLanguage, string>>>;
  readonly help: Readonly<Partial<Record<DemoLanguage, string>>>;
  /** Text that is shown instead of figures: the profile, or the list of forms. */
  readonly shows?: "profile" | "forms";
  /** The list of the result whose words are shown besides figures. */
  readonly lines?: string;
}

/** All forms, the words that mean nothing, and the words that only one language has. */
export interface Grammar {
  readonly forms: readonly Form[];
  readonly fillers: readonly FormPhrase[];
  /** Single words that name what is measured, such as `rsi`. */
  readonly measures: ReadonlySet<string>;
  readonly words: Readonly<Record<DemoLanguage, ReadonlySet<string>>>;
}

type Fields = ReadonlyMap<string, readonly string[]>;

/** Reads the grammar of the demo. */
export function readGrammar(text = readFileSync(join(import.meta.dirname, "forms.txt"), "utf8")): Grammar {
  const sections = toSections(text);
  const fillers = sections.get("filler") ?? new Map<string, readonly string[]>();
  const forms = [...sections].flatMap(([id, fields]) => (id === "filler" ? [] : [toForm(id, fields)]));
  return {
    forms,
    fillers: [...fillers.values()].flat().flatMap(toPhrases),
    measures: new Set(
      forms
        .flatMap(({ choices }) => choices.flatMap(({ phrases }) => phrases))
        .flatMap(({ words }) => (words.length === 1 ? words : [])),
    ),
    words: toWords([...sections.values()]),
  };
}

function toSections(text: string): ReadonlyMap<string, Map<string, string[]>> {
  const sections = new Map<string, Map<string, string[]>>();
  let fields = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [, id] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, name, value] = /^([\w.! ]+?): (.*)$/.exec(line) ?? [];
    if (id !== undefined) {
      fields = new Map();
      sections.set(id, fields);
    } else if (name !== undefined && value !== undefined && !line.startsWith("#")) {
      fields.set(name, [...(fields.get(name) ?? []), value]);
    }
  }
  return sections;
}

function toForm(id: string, fields: Fields): Form {
  const one = (name: string): string | undefined => fields.get(name)?.[0];
  const choices = [...fields].filter(([name]) => name.startsWith("choice "));
  const [, tool, args] = /^(\w+) (.*)$/.exec(one("call") ?? "") ?? [];
  const is = (name: string): boolean => one(name) === "yes";
  const want = one("want");
  return {
    id,
    type: one("type") ?? "general",
    ...(want === undefined ? {} : { want }),
    keys: (fields.get("key") ?? []).map(toPhrases),
    words: (fields.get("word") ?? []).flatMap(toPhrases),
    choices: choices.map(([name, [value = ""]]) => toChoice(name, value)),
    begins: (fields.get("begins") ?? []).flatMap(toPhrases),
    ...(is("text") ? { rest: "text" as const } : is("expression") ? { rest: "expression" as const } : {}),
    names: toRange(one("names")),
    numbers: toRange(one("numbers")),
    currencies: Number(one("currencies") ?? 0),
    hasPairs: is("pairs"),
    hasYears: is("years"),
    ...(tool === undefined ? {} : { call: { tool, args: parseJson(args ?? "") ?? {} } }),
    lead: toTexts(fields, "lead"),
    say: toTexts(fields, "say"),
    help: toTexts(fields, "help"),
    ...omitUndefined({ lines: one("lines") }),
    ...(is("profile") && { shows: "profile" as const }),
    ...(is("forms") && { shows: "forms" as const }),
  };
}

const toTexts = (fields: Fields, name: string): Form["lead"] => {
  const [en, vi] = [fields.get(`${name}.en`)?.[0], fields.get(`${name}.vi`)?.[0]];
  return { ...(en === undefined ? {} : { en }), ...(vi === undefined ? {} : { vi }) };
};

function toChoice(field: string, value: string): FormChoice {
  const name = field.slice("choice ".length);
  const phrases = value.split("|").flatMap((pair): readonly FormPhrase[] => {
    const at = pair.lastIndexOf("=");
    return [{ words: toKeys(pair.slice(0, at)), value: pair.slice(at + 1) }];
  });
  return { name: name.replace("!", ""), phrases, isNeeded: name.endsWith("!") };
}

const toPhrases = (value: string): readonly FormPhrase[] =>
  value
    .split("|")
    .map((phrase) => ({ words: phrase.startsWith("$") && phrase.length > 1 ? [phrase] : toKeys(phrase) }))
    .filter(({ words }) => words.length > 0);

function toRange(text = "0-0"): readonly [number, number] {
  const [least = 0, most = 0] = text.split("-").map(Number);
  return [least, most];
}

const MARKED = /[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹáàãéèíìóòõúùýĩũ]/iu;

/** Words of the phrases of one language that no phrase of the other has, without marks. */
function toWords(sections: readonly Fields[]): Grammar["words"] {
  const phrases = sections.flatMap((fields) =>
    [...fields].flatMap(([name, values]) =>
      /^(?:key|word|begins|vi|en|choice .*)$/.test(name) ? values.flatMap((value) => value.split("|")) : [],
    ),
  );
  const wordsOf = (list: readonly string[]) => new Set(list.flatMap((phrase) => toKeys(phrase.split("=")[0] ?? "")));
  const isMarked = (phrase: string): boolean => MARKED.test(phrase);
  const [vi, en] = [wordsOf(phrases.filter(isMarked)), wordsOf(phrases.filter((phrase) => !isMarked(phrase)))];
  return { vi: vi.difference(en), en: en.difference(vi) };
}
