/**
 * Chart colours: the tokens of the page as colours that a canvas understands, for the theme that is on.
 */

/** Colours of a chart. */
export interface ChartColors {
  readonly up: string;
  readonly down: string;
  readonly upSoft: string;
  readonly downSoft: string;
  readonly line: string;
  readonly ink: string;
  readonly mark: string;
  readonly ground: string;
  /** For lines, one after the other. */
  readonly lines: readonly string[];
}

const LINES = ["--a1", "--a3", "--a4", "--a2", "--a6"] as const;
const SOFT = 0.3;
const FAINT = 0.22;

/** Reads the tokens where an element stands. */
export function readColors(element: HTMLElement): ChartColors {
  const probe = document.createElement("span");
  element.append(probe);
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const read = (token: string, alpha = 1): string => {
    probe.style.color = `var(${token})`;
    return toRgba(context, getComputedStyle(probe).color, alpha);
  };
  const colors: ChartColors = {
    up: read("--up"),
    down: read("--down"),
    upSoft: read("--up", SOFT),
    downSoft: read("--down", SOFT),
    line: read("--line"),
    ink: read("--ink-3"),
    mark: read("--ink-3", FAINT),
    ground: read("--surface"),
    lines: LINES.map((token) => read(token)),
  };
  probe.remove();
  return colors;
}

/** Any colour of CSS as red, green, blue and alpha: canvases draw it, and tell. */
function toRgba(context: CanvasRenderingContext2D | null, color: string, alpha: number): string {
  if (context === null) return color;
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
}
