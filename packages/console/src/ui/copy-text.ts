/**
 * Copy text: into the clipboard; a browser that does not allow it says so by doing nothing.
 */

/** Copies a text; true once it is there. */
export function copyText(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
