/**
 * Image text: what pictures of earlier messages are said to show. A conversation keeps it as `[image: …]` on a line of
 * its own; the user need not have written it.
 */

const IMAGE = "[image: ";

/** Returns the descriptions of a message's pictures. */
export function imageTexts(content: string): readonly string[] {
  return content.split("\n").flatMap((line) => {
    const at = line.indexOf(IMAGE);
    return at === -1 ? [] : [line.slice(at + IMAGE.length)];
  });
}

/** A message without what its pictures are said to show. */
export function withoutImageTexts(content: string): string {
  if (!content.includes(IMAGE)) return content;
  const lines = content.split("\n").map((line) => {
    const at = line.indexOf(IMAGE);
    return at === -1 ? line : line.slice(0, at);
  });
  return lines.join("\n").trim();
}
