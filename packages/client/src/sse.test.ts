import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { type SseFrame, type SseOptions, SseParser } from "./sse.ts";

suite("frames", () => {
  const cases: readonly {
    readonly says: string;
    readonly text: string;
    readonly frames: readonly Partial<SseFrame>[];
  }[] = [
    { says: "a frame ends with a blank line", text: "data: a\n\ndata: b\n", frames: [{ data: "a" }] },
    {
      says: "LF, CR and CRLF end lines",
      text: "data: a\r\rdata: b\r\n\r\ndata: c\n\r",
      frames: [{ data: "a" }, { data: "b" }, { data: "c" }],
    },
    { says: "a byte order mark is skipped, once", text: "\uFEFFdata: a\n\n\uFEFFdata: b\n\n", frames: [{ data: "a" }] },
    {
      says: "comments and unknown fields are nothing",
      text: ": data: x\nx: y\n:\ndata: a\n\n",
      frames: [{ data: "a" }],
    },
    { says: "data lines are joined by LF", text: "data: a\ndata\ndata: b\n\n", frames: [{ data: "a\n\nb" }] },
    { says: "an empty data line is data", text: "data\n\n", frames: [{ data: "" }] },
    {
      says: "a frame without data is none",
      text: "event: x\nid: 1\n\ndata: a\n\n",
      frames: [{ data: "a", event: "message", id: undefined }],
    },
    {
      says: "one space after the colon is not of the value",
      text: "data:  a\n\ndata:b\n\n",
      frames: [{ data: " a" }, { data: "b" }],
    },
    {
      says: "name and id are the frame's own",
      text: "event: e\nid: 1\ndata: a\n\ndata: b\n\n",
      frames: [
        { event: "e", id: "1", data: "a" },
        { event: "message", id: undefined, data: "b" },
      ],
    },
    { says: "an id with NUL is ignored", text: "id: 1\nid: 2\0\ndata: a\n\n", frames: [{ id: "1", data: "a" }] },
    { says: "an empty id is an id", text: "id\ndata: a\n\n", frames: [{ id: "", data: "a" }] },
    {
      says: "other line ends of Unicode are text",
      text: "data: a\u2028\u0085\v\n\n",
      frames: [{ data: "a\u2028\u0085\v" }],
    },
    { says: "names of fields are exact", text: "Data: x\ndata : y\n data: z\ndata: a\n\n", frames: [{ data: "a" }] },
  ];
  for (const { says, text, frames } of cases) {
    test(says, () => {
      const found = parse([Buffer.from(text)]).frames;
      assert.equal(found.length, frames.length);
      frames.forEach((frame, index) => assert.deepEqual({ ...found[index], ...frame }, found[index]));
    });
  }

  test("bytes that are no UTF-8 become the replacement character", () => {
    const bytes = Buffer.concat([Buffer.from("data: a"), Buffer.from([0xff, 0xe2, 0x82]), Buffer.from("\n\n")]);
    assert.equal(parse([bytes]).frames[0]?.data, "a\uFFFD\uFFFD");
  });
});

suite("retry", () => {
  for (const [text, expected] of [
    ["retry: 250\n", 250],
    ["retry: 1\nretry: 2\n", 2],
    ["retry: -1\n", undefined],
    ["retry: 1e3\n", undefined],
    ["retry:\n", undefined],
    ["retry: 5", undefined],
  ] as const) {
    test(`${JSON.stringify(text)} asks for ${expected} ms`, () => {
      assert.equal(parse([Buffer.from(text)]).retryMs, expected);
    });
  }
});

test("one byte order mark at the start is dropped, a second one is text, wherever the bytes are cut", () => {
  const bytes = Buffer.from("\uFEFF\uFEFFretry: 9\n");
  const alone = Array.from(bytes, (byte) => Buffer.from([byte]));
  assert.deepEqual(parse(alone), { frames: [], retryMs: undefined });
  assert.deepEqual(parse(alone.slice(3)), { frames: [], retryMs: 9 });
});

test("wherever the bytes are cut, the frames are the same", () => {
  const piece = fc.constantFrom(
    ..."data: ,data:,data,id: 7,id: \0,event: e,retry: 9,: c,\r,\n,\r\n,\n\n,\uFEFF,é,日本,👋🏽,\uFFFD, ,x,:".split(","),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.array(fc.nat(200)), (pieces, cuts) => {
      const bytes = Buffer.from(pieces.join(""));
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const parts = places.map((place, index) => bytes.subarray(place, Math.max(place, places[index + 1] ?? place)));
      assert.deepEqual(parse(parts), parse([bytes]));
      assert.deepEqual(parse(Array.from(bytes, (byte) => Buffer.from([byte]))), parse([bytes]));
    }),
    { numRuns: 1_000 },
  );
});

test("any text comes back from the frames that were made of its lines", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), (texts) => {
      const wanted = texts.map((text) => text.replaceAll("\r\n", "\n").replaceAll("\r", "\n"));
      const sent = wanted
        .map(
          (text) =>
            `${text
              .split("\n")
              .map((line) => `data: ${line}\n`)
              .join("")}\n`,
        )
        .join("");
      assert.deepEqual(
        parse([Buffer.from(sent)]).frames.map(({ data }) => data),
        wanted,
      );
    }),
  );
});

suite("a frame that grows without end is refused", () => {
  const refused = { name: "ClientError", code: "invalid_answer" };
  for (const [says, text] of [
    ["a line that does not end", "x"],
    ["data lines without a blank one", "data: x\n"],
    ["empty data lines", "data\n"],
    ["a name", "event: x"],
  ] as const) {
    test(says, () => {
      const endless = Array.from({ length: 200 }, () => Buffer.from(text));
      assert.throws(() => parse(endless, { maxChars: 100 }), refused);
      assert.throws(() => parse([Buffer.concat(endless)], { maxChars: 100 }), refused);
    });
  }

  test("and many small frames are not one large", () => {
    const many = Array.from({ length: 200 }, () => Buffer.from("data: x\n\n"));
    assert.equal(parse(many, { maxChars: 100 }).frames.length, 200);
  });
});

test("a long line in single bytes, and many lines in one piece, are read in one pass", () => {
  const parser = new SseParser();
  const byte = Buffer.from("x");
  for (let count = 0; count < 1_000_000; count++) parser.push(byte);
  assert.deepEqual(parser.push(Buffer.from("\n\n")), []);
  assert.equal(parser.push(Buffer.from("data\r".repeat(1_000_000) + "\r"))[0]?.data.length, 999_999);
});

function parse(parts: readonly Uint8Array[], options?: SseOptions) {
  const parser = new SseParser(options);
  const frames = parts.flatMap((part) => parser.push(part));
  return { frames, retryMs: parser.retryMs };
}
