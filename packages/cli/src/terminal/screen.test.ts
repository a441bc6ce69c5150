import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { styleLine } from "./styled-line.ts";
import { toPaint } from "./paint.ts";
import { Screen, type Output } from "./screen.ts";

/** A terminal that knows what a screen uses: text, line feeds, going up, and erasing what is below. */
class Grid {
  rows = [""];
  row = 0;
  column = 0;
  isCursorShown = true;

  write(text: string): void {
    const [plain = "", ...rest] = text.split("\u001b[");
    for (const character of plain) this.#put(character);
    for (const part of rest) {
      const [code = ""] = /^\??\d*[A-Za-z]/.exec(part) ?? [];
      this.#obey(code);
      for (const character of part.slice(code.length)) this.#put(character);
    }
  }

  get text(): string {
    return this.rows.join("\n").trimEnd();
  }

  #obey(code: string): void {
    if (code.endsWith("A")) this.row -= Number(code.slice(0, -1));
    if (code === "?25h" || code === "?25l") this.isCursorShown = code === "?25h";
    if (code !== "J") return;
    this.rows = [...this.rows.slice(0, this.row), (this.rows[this.row] ?? "").slice(0, this.column)];
  }

  #put(character: string): void {
    if (character === "\r") this.column = 0;
    else if (character === "\n") {
      this.row += 1;
      this.column = 0;
      this.rows[this.row] ??= "";
    } else {
      const row = this.rows[this.row] ?? "";
      this.rows[this.row] = row.slice(0, this.column).padEnd(this.column) + character + row.slice(this.column + 1);
      this.column += 1;
    }
  }
}

function toOutput(grid: Grid, changes: Partial<Output> = {}): Output {
  return {
    isTerminal: true,
    isLive: true,
    paint: toPaint(1),
    columns: () => 40,
    rows: () => 10,
    write: (text) => grid.write(text),
    ...changes,
  };
}

test("lines that stay are all there in their order, and live ones are only ever below them", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(fc.tuple(words, words)), (draws) => {
      const grid = new Grid();
      const kept: string[] = [];
      const screen = new Screen(toOutput(grid));
      for (const [lines, live] of draws) {
        kept.push(...lines);
        screen.draw(
          lines.map((text) => styleLine(text)),
          live.map((text) => styleLine(text)),
        );
        assert.equal(grid.text, [...kept, ...live].join("\n"));
        assert.equal(grid.isCursorShown, live.length === 0);
      }
      screen.draw([]);
      assert.equal(grid.text, kept.join("\n"));
      assert.ok(grid.isCursorShown);
    }),
  );
});

test("live lines never fill the window, so that they can always be erased", () => {
  const grid = new Grid();
  const screen = new Screen(toOutput(grid, { rows: () => 5 }));
  const live = Array.from({ length: 20 }, (_, index) => styleLine(`line ${index}`));
  screen.draw([], live);
  assert.deepEqual(grid.rows, ["line 17", "line 18", "line 19"]);
});

test("where the cursor cannot be moved, nothing but lines is written", () => {
  const written: string[] = [];
  const screen = new Screen(toOutput(new Grid(), { isLive: false, write: (text) => written.push(text) }));
  screen.draw([styleLine("one")], [styleLine("live")]);
  screen.draw([], [styleLine("live")]);
  screen.draw([styleLine("two")]);
  assert.deepEqual(written, ["one\n", "two\n"]);
});

test("running text is neither wider than the window nor too wide to read", () => {
  const widths = [5, 40, 80, 300, Infinity].map(
    (columns) => new Screen(toOutput(new Grid(), { columns: () => columns })).width,
  );
  assert.deepEqual(widths, [16, 39, 79, 100, Infinity]);
});
