/**
 * Image text: what pictures of earlier messages are said to show. A conversation keeps it as `[image: …]` on a line of
 * its own; the user need not have written it.
 */

const IMAGE = "[image: ";

/** A message without what its pictures are said to show. */
export function withoutImageTexts(content: string): string {
  if (!content.includes(IMAGE)) return content;
  const lines = content.split("\n").map((line) => line.split(IMAGE, 1)[0] ?? "");
  return lines.join("\n").trim();
}
