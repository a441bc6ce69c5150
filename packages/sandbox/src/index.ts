/** Sandbox: levels in which a tool has only what it was given. */
export type { Level } from "@baton/core/ports";
