/**
 * Source: where a language model's parts come from, and what opening one needs.
 */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderFetch } from "./provider-fetch.ts";

/** The part of the AI SDK's language-model interface that is used. */
export type LanguageSource = Pick<LanguageModelV4, "doStream">;

/** Options for opening a model. */
export interface OpenModelOptions {
  readonly model: string;
  readonly key: string | undefined;
  readonly url: string | undefined;
  readonly connection: ProviderFetch;
}
