/**
 * Date of answers: moves the clock of this process to when the fakes' answers were kept, and lets it go on from there.
 * For tests on the system's clock, and for child processes: `node --import`.
 */
import { NOW } from "./skip-short-waits-clock.ts";

const now = Date.now.bind(Date);
const shiftMs = NOW - now();
Date.now = () => now() + shiftMs;
