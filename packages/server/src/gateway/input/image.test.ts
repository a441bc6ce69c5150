import assert from "node:assert/strict";
import { test } from "node:test";
import { GIF_PICTURE, PICTURES } from "../../testing/pictures.ts";
import { parse } from "./body.ts";
import { IMAGES } from "./image.ts";
import { Problem } from "../problem.ts";

const PNG = PICTURES["image/png"];
const MAX_BYTES = 5 * 1_024 * 1_024;

/** Returns the problems by field. */
function problemsOf(images: unknown): readonly string[] {
  try {
    parse(IMAGES, images, "images");
    return [];
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.problems.map(({ field, message }) => `${field} ${message}`);
  }
}

/** A png of so many bytes. */
function pngOf(bytes: number): string {
  const head = Buffer.from(PNG, "base64");
  return Buffer.concat([head, Buffer.alloc(bytes - head.length)]).toString("base64");
}

test("png, jpeg and webp are known by their bytes, whatever the client calls them", () => {
  for (const [mediaType, data] of Object.entries(PICTURES)) {
    const image = { mediaType, data };
    for (const sent of [data, `data:image/gif;base64,${data}`, `DATA:;charset=x;base64,${data}`]) {
      assert.deepEqual(parse(IMAGES, [{ data: sent }]), [image]);
      assert.deepEqual(parse(IMAGES, [{ data: sent, media_type: "application/pdf" }]), [image]);
    }
  }
  const [named] = parse(IMAGES, [{ data: PNG, media_type: "image/png", alt_text: "a chart" }]);
  assert.deepEqual(named, { mediaType: "image/png", data: PNG, altText: "a chart" });
});

test("base64 may leave out its padding, and is passed on with it", () => {
  const data = PICTURES["image/jpeg"];
  assert.ok(data.endsWith("="));
  assert.deepEqual(parse(IMAGES, [{ data: data.replaceAll("=", "") }]), [{ mediaType: "image/jpeg", data }]);
});

test("what is not such a picture is refused, with its field", () => {
  const notBase64 = "is not base64: remove spaces, line breaks and other characters";
  const notImage = "is not a png, jpeg or webp picture: its first bytes are those of another format";
  const address = "must be base64, or data:image/TYPE;base64,DATA: URLs are not fetched";
  for (const [data, why] of [
    [GIF_PICTURE, notImage],
    ["", notImage],
    ["data:image/png;base64,", notImage],
    [PNG.slice(0, 8), notImage],
    [Buffer.from("RIFF0000WAVE").toString("base64"), notImage],
    [Buffer.from("<svg/>").toString("base64"), notImage],
    [`${PNG.slice(0, 8)}\n${PNG.slice(8)}`, notBase64],
    [`${PNG.slice(0, 8)} ${PNG.slice(8)}`, notBase64],
    [`${PNG}=A`, notBase64],
    [`${PNG.slice(0, -4)}-_A=`, notBase64],
    ["https://example.com/a.png", address],
    ["http://example.com/a.png", address],
    ["data:image/png,abc", address],
    ["file:///etc/passwd", address],
  ] as const) {
    assert.deepEqual(problemsOf([{ data: PNG }, { data }]), [`images.1.data ${why}`], data);
  }
  assert.deepEqual(problemsOf([{ data: 1 }, {}]), ["images.0.data must be a text, not 1", "images.1.data is missing"]);
});

test("a picture has 5 MB and not a byte more, and there are four of them and not one more", () => {
  assert.deepEqual(problemsOf([{ data: pngOf(MAX_BYTES) }]), []);
  const tooLarge = "images.0.data is larger than 5 MB: send a smaller picture";
  assert.deepEqual(problemsOf([{ data: pngOf(MAX_BYTES + 1) }]), [tooLarge]);
  assert.deepEqual(problemsOf([{ data: pngOf(MAX_BYTES * 2) }]), [tooLarge]);
  const four = Array.from({ length: 4 }, () => ({ data: PNG }));
  assert.deepEqual(problemsOf(four), []);
  assert.deepEqual(problemsOf([...four, { data: PNG }]), ["images has more than 4 items"]);
});
