import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { writeApng } from "./apng.ts";
import { reduce } from "./palette.ts";
import { type Picture, readChunks, readPng, writePng } from "./png.ts";

const picture = (colors: number): fc.Arbitrary<Picture> =>
  fc.record({ width: fc.integer({ min: 1, max: 12 }), height: fc.integer({ min: 1, max: 12 }) }).chain((size) =>
    fc
      .array(fc.integer({ min: 0, max: colors - 1 }), {
        minLength: size.width * size.height,
        maxLength: size.width * size.height,
      })
      .map((pixels) => ({ ...size, pixels: Uint8Array.from(pixels.flatMap((one) => [one, 255 - one, one * 7])) })),
  );

suite("pictures", () => {
  test("a picture of at most 256 colours is read as it was written", () => {
    fc.assert(
      fc.property(picture(256), (wanted) => {
        const { palette, pictures } = reduce([wanted]);
        const [indexed] = pictures;
        assert.ok(indexed);
        assert.deepEqual(readPng(writePng(indexed, palette)), wanted);
      }),
    );
  });

  test("more colours are reduced to 256, each to one that is near", () => {
    const pixels = Uint8Array.from({ length: 3 * 4_096 }, (_, at) => (at * 2_654_435_761) >>> 24);
    const { palette, pictures } = reduce([{ width: 64, height: 64, pixels }]);
    assert.ok(palette.length <= 256 * 3);
    for (const [pixel, index] of pictures[0]?.indexes.entries() ?? []) {
      for (let part = 0; part < 3; part++) {
        assert.ok(Math.abs((palette[index * 3 + part] ?? 0) - (pixels[pixel * 3 + part] ?? 0)) <= 64);
      }
    }
  });

  test("a damaged file and a file of another kind are refused", () => {
    const { palette, pictures } = reduce([{ width: 1, height: 1, pixels: new Uint8Array(3) }]);
    const [indexed] = pictures;
    assert.ok(indexed);
    const file = writePng(indexed, palette);
    file[20] = (file[20] ?? 0) ^ 1;
    assert.throws(() => readPng(file), /damaged/);
    assert.throws(() => readPng(Buffer.from("GIF89a and more")), /not a PNG/);
  });

  test("an animation holds each frame that differs, in order, and shows equal ones longer", () => {
    const toFrame = (bright: number): Picture => {
      const pixels = new Uint8Array(3 * 20);
      pixels[3 * 7] = bright;
      return { width: 5, height: 4, pixels };
    };
    const { palette, pictures } = reduce([0, 200, 200, 90].map(toFrame));
    const file = writeApng(
      pictures.map((one) => ({ picture: one, ms: 40 })),
      palette,
    );
    assert.deepEqual(readPng(file), toFrame(0));
    const chunks = readChunks(file);
    const controls = chunks.filter(({ type }) => type === "fcTL").map(({ data }) => Buffer.from(data));
    assert.equal(Buffer.from(chunks.find(({ type }) => type === "acTL")?.data ?? []).readUInt32BE(0), 3);
    assert.deepEqual(
      controls.map((one) => [4, 8, 12, 16].map((at) => one.readUInt32BE(at))),
      [
        [5, 4, 0, 0],
        [1, 1, 2, 1],
        [1, 1, 2, 1],
      ],
    );
    assert.deepEqual(
      controls.map((one) => one.readUInt16BE(20)),
      [40, 80, 40],
    );
    const numbered = chunks.filter(({ type }) => type === "fcTL" || type === "fdAT");
    assert.deepEqual(
      numbered.map(({ data }) => Buffer.from(data).readUInt32BE(0)),
      [0, 1, 2, 3, 4],
    );
  });

  test("an animation without a frame is refused", () => {
    assert.throws(() => writeApng([], new Uint8Array(3)), /at least one frame/);
  });
});
