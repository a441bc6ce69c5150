/**
 * Model table: figures of models by name, and which name of a table a model goes by.
 */

/** The figure of a model: of its own name, else of that name without a date. */
export function findFigure<T>(table: ReadonlyMap<string, T>, model: string): T | undefined {
  const name = model.startsWith("openai-chat/") ? model.replace("openai-chat/", "openai/") : model;
  return table.get(name) ?? table.get(withoutDate(name));
}

/** `gpt-5-mini-2025-08-07` and `claude-opus-4-5-20251101` have the figures of the undated names. */
function withoutDate(name: string): string {
  return name.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
}
