/**
 * Error text: what went wrong with a request, in words for the person who made it.
 */
import { ClientError } from "@baton/client";

/** The server's sentence, with what is wrong in each field if it says so. */
export function errorText(thrown: unknown): string {
  if (!(thrown instanceof ClientError)) return String(thrown);
  const { message, problems } = thrown;
  if (problems.length === 0) return message;
  return problems.map(({ field, message: what }) => (field === "" ? what : `${field} ${what}`)).join("; ");
}
