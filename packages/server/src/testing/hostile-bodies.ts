/**
 * Hostile bodies: a valid body with one thing wrong at every place, and clients that leave in the middle.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";

/** Written as JSON text, so that what no value can hold is there too. */
const WRONG = [
  "null",
  "true",
  "-1",
  "1e400",
  '""',
  '"a\\u0000b"',
  '"\\ud800"',
  '"__proto__"',
  "[]",
  "{}",
  '{"__proto__":{"polluted":true}}',
  `[${"[".repeat(70)}${"]".repeat(71)}`,
  `"${"x".repeat(10_000)}"`,
  `"${"é".repeat(10_001)}"`,
  `[${Array.from({ length: 10_000 }, () => "{}").join(",")}]`,
] as const;

const MARK = "@@here@@";

/** A body for every place in a valid one and everything that may stand there. */
export function toHostileBodies(valid: object): readonly string[] {
  const marked = [...withMark(valid)].map((body) => JSON.stringify(body));
  const bodies = marked.flatMap((body) => WRONG.map((wrong) => body.replace(`"${MARK}"`, () => wrong)));
  const whole = JSON.stringify(valid);
  return [...bodies, "", "[", "null", '"text"', whole.slice(0, -1), whole + whole, `\uFEFF${whole}`, `${whole}\u0000`];
}

/** The value with the mark at each place in turn. */
function* withMark(value: unknown): Generator<unknown, void> {
  yield MARK;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) for (const marked of withMark(item)) yield value.with(at, marked);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value))
      for (const marked of withMark(item)) yield { ...value, [name]: marked };
  }
}

/** Sends a body; throws if the server fails at it, or refuses it in another form than a problem. */
export async function sendHostile(url: string, body: string): Promise<void> {
  const answer = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  const text = await answer.text();
  const what = `${answer.status} ${text.slice(0, 300)} for ${body.slice(0, 200)}`;
  assert.ok(answer.status < 500, what);
  if (answer.status >= 400) assert.equal(answer.headers.get("content-type"), "application/problem+json", what);
  assert.equal(Reflect.get({}, "polluted"), undefined);
}

/** Sends so many bytes of a request, all but the last if negative, and leaves; or a whole one, and leaves after so many of the answer. */
export async function leaveEarly(url: string, body: string, after: { sent: number } | { read: number }): Promise<void> {
  const { hostname, port, pathname, host } = new URL(url);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  const request = Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  if ("sent" in after) {
    await new Promise((resolve) => socket.write(request.subarray(0, after.sent), resolve));
  } else {
    socket.write(request);
    while (socket.bytesRead < after.read) await once(socket, "data");
  }
  socket.destroy();
  await once(socket, "close");
}
