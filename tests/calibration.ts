/**
 * Calibration: a fixed piece of work, by which the CPU time of tests is compared.
 *
 * Beside other work the same test takes more CPU time, because cores and caches are shared; so does this. A process that
 * took twice the CPU time of the quickest one for it has its tests counted at half their time.
 */

const ROUNDS = 60;
const RECORD = Array.from({ length: 200 }, (_, index) => ({ id: `call-${index}`, at: index * 7, tags: ["a", "b"] }));

/** Returns the CPU seconds that the work takes now. */
export function calibrate(): number {
  const before = process.cpuUsage();
  const counts = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const { id, at } of structuredClone(RECORD)) counts.set(id, (counts.get(id) ?? 0) + at);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}
