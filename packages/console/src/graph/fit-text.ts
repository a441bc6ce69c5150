/**
 * Fit text: as much of a text as fits a width, measured as the browser draws it.
 */

/** Cuts a text to a width; a cut one ends in `…`. `font` is as in CSS, without a family. */
export type FitText = (text: string, width: number, font: string) => string;

/** Makes a fitter for a font family. */
export function toFitText(family: string): FitText {
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  return (text, width, font) => {
    if (pen === null) return text;
    pen.font = `${font} ${family}`;
    const widthOf = (part: string): number => pen.measureText(part).width;
    if (widthOf(text) <= width) return text;
    return longestFit(Array.from(text), (part) => widthOf(`${part}…`) <= width);
  };
}

/** The longest beginning that fits, with an ellipsis; never less than one character. */
export function longestFit(characters: readonly string[], fits: (part: string) => boolean): string {
  let low = 1;
  let high = characters.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (fits(characters.slice(0, middle).join(""))) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join("").trimEnd()}…`;
}
