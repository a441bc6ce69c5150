/**
 * Use axis: the scales of an open run, made again when it has grown.
 */
import { useMemo, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { runTimes } from "../store/gaps.ts";
import type { RunStore } from "../store/run-store.ts";
import { useLiveTime } from "../store/use-live-time.ts";
import {
  type AxisKind,
  type AxisSource,
  chooseAxis,
  type ClockScale,
  toClockScale,
  toEvenScale,
  toPlayScale,
  toReadingScale,
} from "../timeline/axes.ts";
import type { Speed } from "../timeline/play.ts";
import type { Scale } from "../timeline/scale.ts";
import { toTicks } from "../timeline/ticks.ts";
import type { Notch } from "../timeline/track.tsx";

/** A run's axis, and how to read it. */
export interface Axis {
  readonly kind: AxisKind;
  readonly setKind: (kind: AxisKind) => void;
  readonly scale: Scale;
  readonly clock: ClockScale;
  readonly ticks: readonly Notch[];
  /** The time it worked, and the time it waited. */
  readonly times: ReturnType<typeof runTimes>;
  readonly scaleOf: (speed: Speed) => Scale;
}

interface AxisOptions {
  readonly store: RunStore;
  readonly version: number;
  /** The event at which the fork begins: the events after it are of a later time. */
  readonly forkedAt?: number | undefined;
}

/** The axis of a run. */
export function useAxis({ store, version, forkedAt }: AxisOptions): Axis {
  const { format } = useApp();
  const [chosen, setKind] = useState<AxisKind>();
  const now = useLiveTime(store);
  const source: AxisSource = useMemo(
    () => ({
      events: store.events,
      last: store.last,
      ...(now === undefined ? {} : { now }),
      ...(forkedAt === undefined ? {} : { forkedAt }),
    }),
    [store, version, now, forkedAt],
  );
  const opened = useOpenedAxis(store, source);
  return useMemo(() => {
    const clock = toClockScale(source);
    const kind = chosen ?? opened;
    const even = toEvenScale(source);
    const scale = kind === "clock" ? clock : even;
    return {
      kind,
      setKind,
      clock,
      scale,
      ticks: kind === "clock" ? toClockTicks(clock, format.duration) : toEvenTicks(even),
      times: runTimes(source),
      scaleOf: (speed: Speed) => (speed === "reading" ? toReadingScale(source) : toPlayScale(source)),
    };
  }, [source, chosen, opened, format]);
}

/** The axis that a run is opened with. It stays: nothing on the page moves because a run becomes longer, or ends. */
function useOpenedAxis(store: RunStore, source: AxisSource): AxisKind {
  const opened = useRef<AxisKind>(undefined);
  if (source.events.length > 0) opened.current ??= store.story.ended === undefined ? "clock" : chooseAxis(source);
  return opened.current ?? "clock";
}

function toClockTicks(clock: ClockScale, duration: (ms: number) => string): readonly Notch[] {
  return toTicks(clock.worked.length).map((value, index, all) => {
    const isEnd = index > 0 && index === all.length - 1;
    const place = value === 0 ? 0 : isEnd ? clock.length : clock.placeOf(value);
    return {
      kind: "tick",
      seq: clock.seqAt(place),
      at: clock.length === 0 ? 0 : place / clock.length,
      text: value === 0 ? "0" : duration(value),
    };
  });
}

function toEvenTicks(even: Scale): readonly Notch[] {
  return toTicks(even.length).map((value) => {
    const seq = even.seqAt(value);
    return { kind: "tick", seq, at: even.length === 0 ? 0 : value / even.length, text: `#${seq}` };
  });
}
