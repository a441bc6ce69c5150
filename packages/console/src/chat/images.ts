/**
 * Images: pictures that go along with a message: which may, and how they are read.
 */

/** A picture that was chosen. */
export interface ChosenImage {
  readonly name: string;
  /** A data URL. */
  readonly data: string;
}

/** How many pictures a message may have. */
const MAX_IMAGES = 4;
const MAX_BYTES = 5 * 1_024 * 1_024;
const TYPES: readonly string[] = ["image/png", "image/jpeg", "image/webp"];

/** The files that may be added to some pictures; `isAll` if none had to be left out. */
export function acceptImages<T extends Readonly<{ type: string; size: number }>>(
  files: readonly T[],
  known: number,
): Readonly<{ accepted: readonly T[]; isAll: boolean }> {
  const fitting = files.filter(({ type, size }) => TYPES.includes(type) && size <= MAX_BYTES);
  const accepted = fitting.slice(0, Math.max(0, MAX_IMAGES - known));
  return { accepted, isAll: accepted.length === files.length };
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
