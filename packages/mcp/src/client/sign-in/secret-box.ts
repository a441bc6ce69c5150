/**
 * Secret box: encrypts what must not be read in a database, by AES-256-GCM.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { BatonError, type Json } from "@baton/core";
import { parseJson } from "@baton/core/util";

/** The variable with the key. */
const VARIABLE = "BATON_SECRET_KEY";
const FILE = "secret.key";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and decrypts JSON with one key. */
export class SecretBox {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array = randomBytes(KEY_BYTES)) {
    this.#key = key;
  }

  /** The value as text that only this key opens. */
  seal(value: Json): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    const body = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
  }

  /** The value of a text; undefined if another key sealed it, or if it was changed. */
  open(text: string): Json | undefined {
    const bytes = Buffer.from(text, "base64url");
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return parseJson(Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8"));
    } catch {
      return undefined;
    }
  }
}

/** Opens the box of a Baton: by the variable, else by the file in its data folder, which is made once. */
export async function openSecretBox(data: string | undefined, env: Readonly<Record<string, string | undefined>>) {
  const given = env[VARIABLE];
  if (given !== undefined && given !== "") return new SecretBox(toKey(given, VARIABLE));
  if (data === undefined)
    throw new BatonError("invalid", `tokens are kept encrypted: set ${VARIABLE} to 32 bytes in base64`);
  const path = join(data, FILE);
  await mkdir(data, { recursive: true });
  try {
    // Another process may create it at the same time; the one that did decides.
    await using file = await open(path, "wx", 0o600);
    await file.writeFile(randomBytes(KEY_BYTES).toString("base64"));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return new SecretBox(toKey(await readFile(path, "utf8"), path));
}

function toKey(text: string, what: string): Uint8Array {
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === KEY_BYTES) return key;
  throw new BatonError("invalid", `${what} is not a key: it must be ${KEY_BYTES} bytes in base64`);
}
