/**
 * On disconnect: whether a client that leaves means its run to be cancelled.
 */
import { z } from "zod";

/** The query of a route that starts a run. */
export const ON_DISCONNECT = z.object({ on_disconnect: z.enum(["detach", "cancel"]).default("detach") });
