/**
 * Habits: what is seen from how a user asks, without being said: the language, and what the questions are about.
 *
 * A habit is an inferred claim: it never replaces what the user has stated. A run counts once.
 */
import { BatonError } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { z } from "zod";
import { languageOfText } from "../grounding/answer-language.ts";
import { MEMORY } from "./collections.ts";
import { isConflict } from "./core/core-store.ts";
import { toTrait } from "./learn/phrasing.ts";
import type { MemoryClaim } from "./core/apply-statement.ts";

const HABITS = z.object({
  runs: z.array(z.string()),
  languages: z.array(z.enum(["en", "vi"])),
  subjects: z.array(z.array(z.string())),
});

/** The languages and subjects of the last messages. */
export type Habits = Readonly<z.output<typeof HABITS>>;

const NO_HABITS: Habits = { runs: [], languages: [], subjects: [] };
/** The id of the document; kinds of questions have no colon. */
const HABITS_ID = "habits:";
const MAX_TRIES = 64;
const LAST_MESSAGES = 30;
const LAST_LANGUAGES = 10;
const MIN_SEEN = 3;
const MIN_SHARE = 0.8;
const MAX_FAVOURITES = 5;
const MAX_SUBJECTS = 20;

/** One message: its run, what it says, and what it is about. */
export interface SeenMessage {
  readonly run: string;
  readonly text: string;
  readonly subjects: readonly string[];
}

/** Counts a message in; gives the habits after it. */
export async function seeMessage(documents: Documents, message: SeenMessage): Promise<Habits> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const document = await documents.get(MEMORY.procedural, HABITS_ID);
    const before = HABITS.safeParse(document?.data).data ?? NO_HABITS;
    if (before.runs.includes(message.run)) return before;
    const habits = addMessage(before, message);
    try {
      const data = z.json().parse(habits);
      await documents.put(MEMORY.procedural, { id: HABITS_ID, data, version: document?.version ?? 0 });
      return habits;
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown;
    }
  }
  throw new BatonError("busy", "habits are being counted by too many requests at once; try again");
}

/** Converts habits to inferred claims about the user. */
export function toHabitClaims({ languages, subjects }: Habits): readonly MemoryClaim[] {
  const language = (["en", "vi"] as const).find((one) => {
    const seen = languages.filter((other) => other === one).length;
    return seen >= MIN_SEEN && seen / languages.length >= MIN_SHARE;
  });
  const shown = language ?? languages.at(-1) ?? "en";
  const favourites = toFavourites(subjects);
  return [
    ...(language === undefined ? [] : [{ ...toTrait("language", language, shown), inferred: true as const }]),
    ...(favourites.length === 0 ? [] : [toFavouriteClaim(favourites.join(", "), shown)]),
  ];
}

function addMessage({ runs, languages, subjects }: Habits, message: SeenMessage): Habits {
  const language = languageOfText(message.text);
  const about = [...new Set(message.subjects)].slice(0, MAX_SUBJECTS);
  return {
    runs: [...runs, message.run].slice(-LAST_MESSAGES),
    languages: [...languages, ...(language === undefined ? [] : [language])].slice(-LAST_LANGUAGES),
    subjects: [...subjects, about].slice(-LAST_MESSAGES),
  };
}

/** The subjects of at least three of the last messages, in an order that does not depend on their counts. */
function toFavourites(subjects: Habits["subjects"]): readonly string[] {
  const counts = new Map<string, number>();
  for (const subject of subjects.flat()) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= MIN_SEEN)
    .toSorted(([one, count], [other, more]) => more - count || (one < other ? -1 : 1))
    .slice(0, MAX_FAVOURITES)
    .map(([subject]) => subject)
    .toSorted();
}

function toFavouriteClaim(value: string, language: "en" | "vi"): MemoryClaim {
  const text = language === "vi" ? `Hay hỏi về ${value}` : `Often asks about ${value}`;
  return { kind: "claim", text, category: "preference", key: "favourites", value, inferred: true };
}
