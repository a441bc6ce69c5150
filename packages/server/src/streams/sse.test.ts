import assert from "node:assert/strict";
import { test } from "node:test";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { toSse } from "./sse.ts";

function receive(text: string): readonly EventSourceMessage[] {
  const seen: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => seen.push(event) }).feed(text);
  return seen;
}

test("a frame arrives whole, whatever line breaks or NUL its data holds", () => {
  for (const data of ["a\nb", "a\rb", "a\r\nb", "\n", "a\n\nb\r\r", "id: 7\ndata: x", "a\0b", "", " a", "\u2028"]) {
    const [message, ...more] = receive(toSse({ id: "3", data }) + toSse({ id: "4", data: "next" }));
    assert.equal(message?.data, data.replaceAll("\r\n", "\n").replaceAll("\r", "\n"), JSON.stringify(data));
    assert.equal(message.id, "3");
    assert.equal(more.length, 1);
  }
});

test("an id or a name cannot break its line", () => {
  const [message, ...more] = receive(toSse({ id: "1\n\n\0data: x", event: "a\r\rb", data: "whole" }));
  assert.deepEqual([message?.data, message?.event, more.length], ["whole", "ab", 0]);
});
