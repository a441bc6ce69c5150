/**
 * Figure tile: one figure of the last hour, with how it went minute by minute.
 */
import { useApp } from "../app-context.ts";
import { sparklinePath } from "./sparkline.ts";

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly values: readonly (number | undefined)[];
  readonly format: (value: number) => string;
}

const SIZE = { width: 240, height: 36 };

/** One figure. */
export function FigureTile({ name, value, note, values, format }: TileProps) {
  const { words } = useApp();
  const known = values.filter((one) => one !== undefined);
  const describe = words.lists.overview.describe(name, format(Math.min(...known, 0)), format(Math.max(...known, 0)));
  return (
    <div className="tile">
      <dt>{name}</dt>
      <dd className="tile-value">{value}</dd>
      <dd className="tile-note">{note}</dd>
      <dd>
        <svg
          role="img"
          aria-label={describe}
          viewBox={`-2 -2 ${SIZE.width + 4} ${SIZE.height + 4}`}
          preserveAspectRatio="none"
        >
          <path d={`M0 ${SIZE.height}H${SIZE.width}`} className="tile-ground" />
          <path d={sparklinePath(values, SIZE)} className="tile-line" />
        </svg>
      </dd>
    </div>
  );
}
