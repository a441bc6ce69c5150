/**
 * Folder watcher: tells which files of a folder change, also those in folders inside it.
 *
 * Each folder is watched by itself, because Node's recursive watching loses a file that an editor replaces by another one.
 * Folders of packages and hidden ones are left out.
 */
import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { toMessage } from "@baton/core/util";

/** Functions that a watcher calls. */
export interface FolderListener {
  /** Called with the path of a file that was written, replaced or removed, as seen from the folder. */
  readonly changed: (file: string) => void;
  readonly warn: (text: string) => void;
}

const MAX_FOLDERS = 500;
const SKIPPED = /^(\.|node_modules$)/;

/** Watches until it is disposed. */
export class FolderWatcher implements Disposable {
  readonly #root: string;
  readonly #listener: FolderListener;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(root: string, listener: FolderListener) {
    this.#root = root;
    this.#listener = listener;
    this.#add("");
    if (!this.#watchers.has("")) listener.warn(`cannot watch ${root}`);
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Watches a folder and those inside it; does nothing if it is not a folder. */
  #add(folder: string): void {
    if (this.#watchers.has(folder) || this.#watchers.size >= MAX_FOLDERS) return;
    const path = join(this.#root, folder);
    try {
      const inside = readdirSync(path, { withFileTypes: true });
      const watcher = watch(path, { persistent: false });
      this.#watchers.set(folder, watcher);
      watcher.on("change", (_kind, name) => this.#see(folder, String(name)));
      watcher.on("error", (error) => this.#lose(folder, error));
      for (const entry of inside) {
        if (entry.isDirectory() && !SKIPPED.test(entry.name)) this.#add(join(folder, entry.name));
      }
    } catch {
      // A file, or a folder that is gone already.
    }
  }

  #see(folder: string, name: string): void {
    const file = join(folder, name);
    if (!SKIPPED.test(name)) this.#add(file);
    this.#listener.changed(file);
  }

  #lose(folder: string, error: Error): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
    if (folder === "") this.#listener.warn(`stopped watching ${this.#root}: ${toMessage(error)}`);
  }
}
