/**
 * Chart spark: a small line of values, without axes.
 */
import type { ChartPoint } from "./chart-data.ts";

interface SparkProps {
  readonly points: readonly ChartPoint[];
  readonly label: string;
  /** Written over data that is not real. */
  readonly watermark?: string;
}

const WIDTH = 240;
const HEIGHT = 64;
const INSET = 3;

/** The line. */
export function ChartSpark({ points, label, watermark }: SparkProps) {
  const known = points.flatMap(([t, y]) => (y === undefined ? [] : [[t, y] as const]));
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || known.length < 2) return null;
  const values = known.map(([, y]) => y);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (t: number): number => ((t - first[0]) / Math.max(1, last[0] - first[0])) * WIDTH;
  const y = (value: number): number => HEIGHT - INSET - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * INSET);
  const path = known
    .map(([t, value], index) => `${index === 0 ? "M" : "L"}${round(x(t))} ${round(y(value))}`)
    .join(" ");
  return (
    <svg
      className={last[1] >= first[1] ? "chart-spark up" : "chart-spark down"}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {watermark !== undefined && (
        <text x={WIDTH / 2} y={HEIGHT / 2} textAnchor="middle" dominantBaseline="central">
          {watermark}
        </text>
      )}
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
