/**
 * Lazy documents: the documents of the user `local` in the data folder. The first access opens the database.
 */
import { openDatabase } from "@baton/baton/store";
import type { Documents } from "@baton/core/ports";
import type { Database } from "@baton/store";

/** Documents of a data folder; disposing closes the database if it was opened. */
export class LazyDocuments implements AsyncDisposable {
  readonly documents: Documents;
  readonly #folder: string;
  #database: Promise<Database> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.documents = {
      get: async (...asked) => (await this.#open()).get(...asked),
      put: async (...asked) => (await this.#open()).put(...asked),
      putAll: async (...asked) => (await this.#open()).putAll(...asked),
      delete: async (...asked) => (await this.#open()).delete(...asked),
      list: async (...asked) => (await this.#open()).list(...asked),
      search: async (...asked) => (await this.#open()).search(...asked),
      nearest: async (...asked) => (await this.#open()).nearest(...asked),
    };
  }

  async #open(): Promise<Documents> {
    this.#database ??= openDatabase({ data: this.#folder });
    const { LOCAL } = await import("@baton/store");
    return (await this.#database).documents(LOCAL);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const database = await this.#database?.catch(() => undefined);
    await database?.[Symbol.asyncDispose]();
  }
}
