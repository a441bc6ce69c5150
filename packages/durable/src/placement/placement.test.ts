import { SimulatedClock } from "@baton/core/testing";
import { SharedMemory } from "@baton/store/testing";
import { LeasePlacement } from "./placement.ts";
import { testPlacement } from "../testing/placement-suite.ts";

testPlacement(() => {
  const clock = new SimulatedClock(1);
  const data = new SharedMemory({ now: () => clock.now() });
  return Promise.resolve({
    clock,
    open: () => Promise.resolve(data.open()),
    link: (role) =>
      Promise.resolve({ placement: new LeasePlacement(role), crash: () => {}, freeze: () => {}, wake: () => {} }),
    run: (work) => clock.run(work),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
});
