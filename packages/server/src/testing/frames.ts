/**
 * Frames: what a client of server-sent events makes of the bytes it gets, however they are cut.
 */

/** A frame as a client sees it. */
export interface SeenFrame {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

/** The complete frames; comments and `retry` are not frames. */
export function parseFrames(text: string): readonly SeenFrame[] {
  const whole = text.split("\n\n").slice(0, -1);
  return whole.flatMap((block) => {
    const lines = block.split("\n");
    const valueOf = (name: string) =>
      lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
    const data = valueOf("data");
    return data.length === 0 ? [] : [{ id: valueOf("id")[0], event: valueOf("event")[0], data: data.join("\n") }];
  });
}

/** The id that a client would come back with. */
export function lastIdOf(frames: readonly SeenFrame[]): string | undefined {
  return frames.findLast(({ id }) => id !== undefined)?.id;
}

/** The first so many bytes of a stream; then the client leaves. */
export async function readBytes(response: Response, bytes: number): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const read: Uint8Array[] = [];
  let length = 0;
  while (length < bytes) {
    const { done, value } = await reader.read();
    if (done) break;
    read.push(value);
    length += value.length;
  }
  await reader.cancel();
  return Buffer.concat(read).subarray(0, bytes).toString();
}
