/**
 * Sent: the JSON of an answer, for tests to look into.
 */
import { z } from "zod";

const ANY = z.looseObject({
  id: z.string().optional(),
  code: z.string().optional(),
  detail: z.string().optional(),
  problems: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  runs: z.array(z.looseObject({ id: z.string() })).optional(),
  next: z.string().optional(),
});

/** Reads an object. */
export async function sentOf(answer: Response): Promise<z.infer<typeof ANY>> {
  return ANY.parse(JSON.parse(await answer.text()));
}
