/**
 * Settings: what a reader chose, kept in the browser.
 */
import { chooseLanguage, type Language, LANGUAGES } from "../words/words.ts";

/** The settings of a reader. */
export interface ReaderSettings {
  readonly theme: "system" | "light" | "dark";
  readonly language: Language;
  readonly density: "normal" | "compact";
  readonly shortcuts: boolean;
}

/** Where settings are kept: the browser's own storage, or a Map in tests. */
export type SettingsStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const NAME = "baton.settings";

/** Reads what was chosen; what is not valid is as if it was never chosen. */
export function readReaderSettings(kept: SettingsStorage, languages: readonly string[]): ReaderSettings {
  const fields = readFields(kept.getItem(NAME));
  const choose = <T>(name: string, allowed: readonly T[], otherwise: T): T =>
    allowed.find((value) => value === fields.get(name)) ?? otherwise;
  return {
    theme: choose("theme", ["system", "light", "dark"], "system"),
    language: choose("language", LANGUAGES, chooseLanguage(languages)),
    density: choose("density", ["normal", "compact"], "normal"),
    shortcuts: choose("shortcuts", [true, false], true),
  };
}

/** Keeps what was chosen. */
export function writeReaderSettings(kept: SettingsStorage, settings: ReaderSettings): void {
  kept.setItem(NAME, JSON.stringify(settings));
}

function readFields(text: string | null): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}
