/**
 * Ollama URL: where an Ollama is reached.
 */

const HOST = "127.0.0.1";
const PORT = 11_434;

/** The address, without a slash at its end; `OLLAMA_HOST` may be a host, or a host and port. */
export function toOllamaUrl(host: string | undefined): string {
  const given = host === undefined || host === "" ? HOST : host;
  const base = given.endsWith("/") ? given.slice(0, -1) : given;
  if (base.includes("://")) return base;
  return base.includes(":") ? `http://${base}` : `http://${base}:${PORT}`;
}
