/**
 * Session title: what a conversation is called in lists: its first input, in one line.
 */

const MAX_CHARS = 120;

/** A text as a title; undefined if there is nothing to read in it. */
export function toSessionTitle(text: string): string | undefined {
  // No more is looked at than can be shown: an input may be long, and white space at its beginning too.
  const words = text
    .trimStart()
    .slice(0, MAX_CHARS * 8)
    .split(/\s+/u);
  const line = words.filter((word) => word !== "").join(" ");
  const characters = Array.from(line);
  if (characters.length === 0) return undefined;
  if (characters.length <= MAX_CHARS) return line;
  return `${characters
    .slice(0, MAX_CHARS - 1)
    .join("")
    .trimEnd()}…`;
}
