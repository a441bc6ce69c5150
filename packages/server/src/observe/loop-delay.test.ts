import assert from "node:assert/strict";
import { test } from "node:test";
import { type DelayMonitor, LoopDelay } from "./loop-delay.ts";

/** A monitor that is told what it measures. */
class SetMonitor implements DelayMonitor {
  max = 0;
  isOn = false;

  percentile(): number {
    return this.max;
  }

  enable(): boolean {
    return (this.isOn = true);
  }

  disable(): boolean {
    return (this.isOn = false);
  }

  reset(): void {
    this.max = 0;
  }
}

test("a delay is seen by every reader for one to two windows, and then no more", () => {
  const monitors: SetMonitor[] = [];
  const delay = new LoopDelay(() => {
    const made = new SetMonitor();
    monitors.push(made);
    return made;
  });
  const longest = () => delay.read().at(-1)?.[1];
  for (const monitor of monitors) monitor.max = 520_000_000;
  assert.deepEqual([longest(), longest(), longest()], [0.5, 0.5, 0.5]);
  delay.rotate();
  assert.equal(longest(), 0.5);
  delay.rotate();
  assert.equal(longest(), 0);
  delay.close();
  assert.ok(monitors.every(({ isOn }) => !isOn));
});
