/**
 * Code versions: imports a crew's own code again after it has changed.
 *
 * Node keeps each module by its URL for ever, so the URL of every module in the crew's folder gets a number. Modules of
 * other folders and packages are imported once. The texts that were read are kept, so that a thread which starts later
 * runs the same version, whatever the files hold by then.
 */
import { registerHooks } from "node:module";
import type { CodeLoader } from "@baton/baton/crews";
import type { CodeText, CodeVersion } from "@baton/crewfile";

/** A version of the code of one crew. */
export interface OpenVersion extends Required<CodeLoader> {
  readonly version: CodeVersion & { readonly modules: Map<string, CodeText> };
}

/** Folders whose modules belong to a version, as URLs, and what was read of them. */
interface KnownVersion {
  readonly folders: Set<string>;
  readonly modules: Map<string, CodeText>;
}

const QUERY = "?baton=";
const LIBRARIES = "/node_modules/";

/** Numbers the code of crews that are watched; made once in a process. */
export class CodeVersions {
  readonly #known = new Map<string, KnownVersion>();

  constructor() {
    registerHooks({
      resolve: (specifier, context, next) => {
        const found = next(specifier, context);
        const [, id] = split(context.parentURL ?? "");
        return id !== undefined && this.#isOf(id, found.url) ? { ...found, url: found.url + QUERY + id } : found;
      },
      load: (url, context, next) => {
        const loaded = next(url, context);
        const [, id] = split(url);
        const modules = id === undefined ? undefined : this.#known.get(id)?.modules;
        const { format, source } = loaded;
        if (modules !== undefined && typeof format === "string" && source !== undefined && source !== null) {
          modules.set(url, { format, source: typeof source === "string" ? source : new TextDecoder().decode(source) });
        }
        return loaded;
      },
    });
  }

  /** Opens the next version: what it imports is read from the files as they are now. */
  next(): OpenVersion {
    const id = `${this.#known.size + 1}`;
    const known: KnownVersion = { folders: new Set(), modules: new Map() };
    this.#known.set(id, known);
    return {
      version: { id, modules: known.modules },
      importModule: (url) => {
        known.folders.add(url.slice(0, url.lastIndexOf("/") + 1));
        return import(url + QUERY + id);
      },
    };
  }

  #isOf(id: string, url: string): boolean {
    if (url.includes("?") || url.includes(LIBRARIES)) return false;
    return [...(this.#known.get(id)?.folders ?? [])].some((folder) => url.startsWith(folder));
  }
}

/** The URL of a module without its version, and the version. */
export function split(url: string): readonly [url: string, id: string | undefined] {
  const at = url.lastIndexOf(QUERY);
  return at === -1 ? [url, undefined] : [url.slice(0, at), url.slice(at + QUERY.length)];
}
