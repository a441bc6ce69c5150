/**
 * Preferences: what a user's profile says about how to be addressed and how long answers should be.
 */
import { foldText } from "../../market/directory/words.ts";
import { toPlainText } from "./markdown.ts";
import type { View } from "../view.ts";

/** Phrases before a name, folded. */
const CALLED: readonly string[] = [
  "call me ",
  "my name is ",
  "goi toi la ",
  "goi minh la ",
  "goi em la ",
  "ten toi la ",
  "toi ten la ",
  "ten minh la ",
  "minh ten la ",
  "name: ",
];
const MAX_NAME = 40;
const MAX_WORDS = 3;

/** What the user wants to be called. */
export function nameOfUser({ profile }: Pick<View, "profile">): string | undefined {
  for (const line of profile) {
    const folded = foldText(line.normalize("NFC"));
    const cue = CALLED.find((words) => folded.includes(words));
    if (cue === undefined) continue;
    const rest = line.normalize("NFC").slice(folded.indexOf(cue) + cue.length);
    const words = rest.split(/[^\p{L}\p{M}'’-]+/u).filter((word) => word !== "");
    const end = words.findIndex((word, at) => at > 0 && !/^\p{Lu}/u.test(word));
    const name = words.slice(0, end === -1 ? MAX_WORDS : Math.min(end, MAX_WORDS)).join(" ");
    if (name !== "" && name.length <= MAX_NAME) return toPlainText(name);
  }
  return undefined;
}

const SHORT: readonly string[] = [
  "short answer",
  "brief answer",
  "concise",
  "keep it short",
  "answers short",
  "answer short",
  "ngan gon",
  "tra loi ngan",
  "ngan thoi",
];

/** Whether the user likes short answers. */
export function likesShort({ profile }: Pick<View, "profile">): boolean {
  return profile.some((line) => SHORT.some((words) => foldText(line.normalize("NFC")).includes(words)));
}
