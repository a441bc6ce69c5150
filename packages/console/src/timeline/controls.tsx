/**
 * Controls: start, play, end, how fast, and by which axis.
 */
import { Pause, Play as PlayIcon, SkipBack, SkipForward } from "lucide-react";
import type { ReactNode } from "react";
import { useApp } from "../app-context.ts";
import type { AxisKind } from "./axes.ts";
import { type Speed, SPEEDS } from "./play.ts";
import type { TimelineKey } from "./timeline.tsx";
import "./controls.css";

interface ControlsProps {
  readonly isPlaying: boolean;
  readonly onToggle: () => void;
  readonly onKey: (key: TimelineKey) => void;
  readonly speed: Speed;
  readonly onSpeed: (speed: Speed) => void;
  readonly axis: AxisKind;
  readonly onAxis: (axis: AxisKind) => void;
  /** The content at the right. */
  readonly children: ReactNode;
}

const AXES: readonly AxisKind[] = ["clock", "even"];

/** The line under the timeline. */
export function Controls(props: ControlsProps) {
  const { isPlaying, onToggle, onKey, speed, onSpeed, axis, onAxis, children } = props;
  const { words } = useApp();
  const { play, speeds, axes, axis: axisName } = words.runPage;
  return (
    <div className="controls">
      <div className="controls-play">
        <IconButton label={play.first} onPress={() => onKey("first")}>
          <SkipBack size={15} aria-hidden />
        </IconButton>
        <IconButton label={isPlaying ? play.pause : play.play} onPress={onToggle} isMain>
          {isPlaying ? <Pause size={15} aria-hidden /> : <PlayIcon size={15} aria-hidden />}
        </IconButton>
        <IconButton label={play.last} onPress={() => onKey("last")}>
          <SkipForward size={15} aria-hidden />
        </IconButton>
      </div>
      <Choice label={play.speed} all={SPEEDS} chosen={speed} nameOf={(one) => speeds[one]} onChoose={onSpeed} />
      <Choice label={axisName} all={AXES} chosen={axis} nameOf={(one) => axes[one]} onChoose={onAxis} />
      <div className="controls-right">{children}</div>
    </div>
  );
}

interface IconButtonProps {
  readonly label: string;
  readonly onPress: () => void;
  readonly isMain?: boolean;
  readonly children: ReactNode;
}

function IconButton({ label, onPress, isMain = false, children }: IconButtonProps) {
  return (
    <button
      type="button"
      className={isMain ? "controls-icon main" : "controls-icon"}
      aria-label={label}
      data-tip={label}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly all: readonly T[];
  readonly chosen: T;
  readonly nameOf: (one: T) => string;
  readonly onChoose: (one: T) => void;
}

function Choice<T extends string>({ label, all, chosen, nameOf, onChoose }: ChoiceProps<T>) {
  return (
    <div className="controls-choice" role="group" aria-label={label}>
      {all.map((one) => (
        <button key={one} type="button" aria-pressed={one === chosen} onClick={() => onChoose(one)}>
          {nameOf(one)}
        </button>
      ))}
    </div>
  );
}
