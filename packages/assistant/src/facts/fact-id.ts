/**
 * Fact id: the name by which a fact is cited.
 *
 * It is `f`, the position of the call, a dot and the fact's number in that call: `f3.2.1.4`, in a lane
 * `f4/quiz/student/1.1.2.1`. The last part is the only one with dots, so an id ends by itself: in `f3.2.1.4/2` the slash
 * divides, in `f2/alpha/1.1.1.1` it does not.
 */

/** The id of the `n`th fact of a call. */
export function toFactId(call: string, n: number): string {
  return `f${call}.${n}`;
}

/** The end of the id that begins at `from`; undefined if none begins there. Looks at each character once. */
export function scanFactId(text: string, from: number): number | undefined {
  if (text[from] !== "f" || !isDigit(text[from + 1])) return undefined;
  let start = from + 1;
  for (;;) {
    const end = scanWhile(text, start, isNameCharacter);
    if (text[end] === ".") return scanNumbers(text, start);
    // A lane begins with the number of a turn; every part has a name.
    if (text[end] !== "/" || end === start) return undefined;
    if (start === from + 1 && scanWhile(text, start, isDigit) !== end) return undefined;
    start = end + 1;
  }
}

/** The end of `3.2.1.4`: at least two whole numbers, the last from 1. */
function scanNumbers(text: string, from: number): number | undefined {
  let start = from;
  for (let count = 1; ; count += 1) {
    const end = scanWhile(text, start, isDigit);
    if (end === start) return undefined;
    if (text[end] === "." && isDigit(text[end + 1])) {
      start = end + 1;
      continue;
    }
    const isEnd = !isNameCharacter(text[end]) || text[end] === "-";
    return count > 1 && isEnd && text[start] !== "0" && end - start < 10 ? end : undefined;
  }
}

function scanWhile(text: string, from: number, fits: (character: string | undefined) => boolean): number {
  let at = from;
  while (fits(text[at])) at += 1;
  return at;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

/** The characters of the id of an agent, a group or a sub-crew. */
function isNameCharacter(character: string | undefined): boolean {
  if (character === undefined) return false;
  const isLetter = (character >= "a" && character <= "z") || (character >= "A" && character <= "Z");
  return isLetter || isDigit(character) || character === "_" || character === "-";
}
