/**
 * Hearing: a message with its language and its wishes, before anything is taken over from the conversation.
 */
import type { Listing } from "../market/port/listing.ts";
import type { QuestionLanguage } from "./intent.ts";
import { detectLanguage } from "./language.ts";
import { type Reading, readQuestion } from "./reading.ts";
import { optionsOf, type EarlierMessage, type Situation } from "./situation.ts";
import { nameSymbols } from "./symbols.ts";
import { importWish } from "./wishes/import-wishes.ts";
import { readWishes } from "./wishes/index.ts";
import { blank } from "./wishes/own-words.ts";
import { toUtterance } from "./wishes/utterance.ts";
import type { ChangeWish } from "./wishes/wish.ts";

/** A question with its wishes, before anything is taken over. */
export interface HeardQuestion {
  readonly reading: Reading;
  readonly language: QuestionLanguage;
  readonly wishes: readonly ChangeWish[];
  /** What the whole message names. */
  readonly raw: readonly string[];
}

/** What was said before, and what "it" means. */
interface Before {
  readonly history: readonly EarlierMessage[];
  readonly referred: () => readonly Listing[];
}

/** What starts by itself asks for no change: only a person does. */
export function hear(question: string, situation: Situation, { history, referred }: Before): HeardQuestion {
  const options = optionsOf(situation);
  const isStarted = options.alert !== undefined || options.schedule !== undefined;
  const imported = isStarted ? undefined : importWish(question, history);
  const text = imported === undefined ? question : blank(question, [imported]);
  const reading = readQuestion(situation.directory, text);
  const language = languageOf(imported === undefined ? reading : readQuestion(situation.directory, question), history);
  const named = nameSymbols(reading, { language, activeTab: options.ui_context?.active_tab ?? "none" });
  if (isStarted) return { reading, language: options.response_language ?? language, wishes: [], raw: named.raw };
  const wishes = readWishes({
    utterance: toUtterance(reading),
    located: named.located,
    language,
    today: situation.today,
    history,
    referred,
  });
  return { reading, language, raw: named.raw, wishes: imported === undefined ? wishes : [imported, ...wishes] };
}

/** The language of the words beside names; without such words, that of the conversation. */
export function languageOf({ text, mentions }: Reading, history: readonly EarlierMessage[]): QuestionLanguage {
  const beside = mentions.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} @ ${rest.slice(end)}`, text);
  return detectLanguage(beside, languageBefore(history) ?? detectLanguage(text));
}

/** The language of the user's last words that have one. */
function languageBefore(history: readonly EarlierMessage[]): QuestionLanguage | undefined {
  const asked = history.filter(({ role }) => role === "user");
  return asked.reduce<QuestionLanguage | undefined>(
    (before, { content }) => detectLanguage(content, before),
    undefined,
  );
}
