/**
 * Images: pictures that go along with a message: which may, and how they are read.
 */

/** A picture that was chosen. */
export interface ChosenImage {
  readonly name: string;
  /** A data URL. */
  readonly data: string;
}

/** The largest number of pictures of a message. */
const MAX_IMAGES = 4;
const MAX_BYTES = 5 * 1_024 * 1_024;
const TYPES: readonly string[] = ["image/png", "image/jpeg", "image/webp"];

/** Why a file does not go along. */
export type Refusal = Readonly<{ why: "type" | "size"; name: string }> | Readonly<{ why: "count" }>;

/** The files that may be added to some pictures, and why the first of the others may not. */
export function acceptImages<T extends Readonly<{ name: string; type: string; size: number }>>(
  files: readonly T[],
  known: number,
): Readonly<{ accepted: readonly T[]; refusal: Refusal | undefined }> {
  const fitting = files.filter((file) => refusalOf(file) === undefined);
  const accepted = fitting.slice(0, Math.max(0, MAX_IMAGES - known));
  const isFull = accepted.length < fitting.length;
  return { accepted, refusal: files.map(refusalOf).find((one) => one !== undefined) ?? (isFull ? FULL : undefined) };
}

const FULL: Refusal = { why: "count" };

function refusalOf({ name, type, size }: Readonly<{ name: string; type: string; size: number }>): Refusal | undefined {
  if (!TYPES.includes(type)) return { why: "type", name };
  return size > MAX_BYTES ? { why: "size", name } : undefined;
}

/** A file as a picture. */
export function readImage(file: File): Promise<ChosenImage> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    const failed = (): void => reject(new Error(file.name));
    reader.addEventListener("load", () => {
      const data = reader.result;
      if (typeof data === "string") resolve({ name: file.name, data });
      else failed();
    });
    reader.addEventListener("error", failed);
    reader.readAsDataURL(file);
  });
}
