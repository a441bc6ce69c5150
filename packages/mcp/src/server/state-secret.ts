/**
 * State secret: the key that signs what clients send back to a server, one for each store.
 *
 * It lies in the store, so that a restart and other servers on the same store accept what one has signed.
 */
import { randomBytes } from "node:crypto";
import type { MountRequest } from "@baton/server/mount";

type Store = MountRequest["store"];

/** No key can have this owner: names of tenants have no slash. */
const OWNER = { tenant: "/mcp", user: "/mcp" } as const;
const COLLECTION = "mcp-secrets";
const ID = "request-state";
const BYTES = 32;

/** The secrets of stores, each read once. */
export class StateSecret {
  readonly #known = new WeakMap<Store, Promise<Uint8Array>>();

  /** The secret of a store; creates it on first use. */
  async of(store: Store): Promise<Uint8Array> {
    const known = this.#known.get(store) ?? findOrCreate(store);
    this.#known.set(store, known);
    try {
      return await known;
    } catch (error) {
      this.#known.delete(store);
      throw error;
    }
  }
}

async function findOrCreate({ database }: Store): Promise<Uint8Array> {
  const documents = database.documents(OWNER);
  const find = async () => {
    const data = (await documents.get(COLLECTION, ID))?.data;
    return typeof data === "string" ? Buffer.from(data, "base64") : undefined;
  };
  const found = await find();
  if (found !== undefined) return found;
  const made = randomBytes(BYTES);
  try {
    await documents.put(COLLECTION, { id: ID, data: made.toString("base64"), version: 0 });
    return made;
  } catch (error) {
    // Another server may have created it at the same time.
    const other = await find();
    if (other === undefined) throw error;
    return other;
  }
}
