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

/** The title that the messages of a conversation give: the first thing that a person said. */
export function titleOf(messages: readonly string[]): string | undefined {
  for (const text of messages) {
    const said = contentOf(text, "user");
    const title = said === undefined ? undefined : toSessionTitle(said);
    if (title !== undefined) return title;
  }
  return undefined;
}

/** The last thing that an agent said in the messages of a conversation. */
export function answerOf(messages: readonly string[]): string | undefined {
  for (const text of messages.toReversed()) {
    const said = contentOf(text, "assistant");
    if (said !== undefined) return said;
  }
  return undefined;
}

function contentOf(text: string, role: "user" | "assistant"): string | undefined {
  const message: unknown = JSON.parse(text);
  if (typeof message !== "object" || message === null || !("role" in message) || !("content" in message))
    return undefined;
  return message.role === role && typeof message.content === "string" ? message.content : undefined;
}
