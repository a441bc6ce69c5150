/**
 * Folded: text as names are compared: lower case, without accents (`đ` is `d`), words apart by one space.
 */

const MAX_CHARS = 200;

/** At most 200 characters of a text, folded; `&` and the signs of currencies stay. */
export function toFolded(text: string): string {
  const plain = text.slice(0, MAX_CHARS).normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("đ", "d");
  return Array.from(plain, (sign) => (/[\p{L}\p{N}&\p{Sc}]/u.test(sign) ? sign : " "))
    .join("")
    .split(" ")
    .filter((word) => word !== "")
    .join(" ");
}
