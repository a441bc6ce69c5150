/**
 * Provider: the two halves of a model's name, `openai/gpt-5-mini`.
 */

/** The company behind a model; a model without one is its own. */
export function toProvider(model: string): string {
  const slash = model.indexOf("/");
  return slash === -1 ? model : model.slice(0, slash);
}

/** The model as its provider calls it. */
export function toModelName(model: string): string {
  return model.slice(model.indexOf("/") + 1);
}
