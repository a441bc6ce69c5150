/**
 * Claim key: what a claim is called, for databases that must know which claim a run comes under.
 */

/** The key of the claim on a run of its own. */
export const runKey = (id: string): string => `run:${id}`;

/** The key of the claim on a session and all its runs. */
export const sessionKey = (tenant: string, id: string): string => `session:${tenant}:${id}`;

/** The key of the claim on a request, by what its client calls it, which may be any text. */
export const requestKey = (tenant: string, name: string): string => `request:${JSON.stringify([tenant, name])}`;
