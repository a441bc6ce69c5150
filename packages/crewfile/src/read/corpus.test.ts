import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { z } from "zod";
import { readCrew } from "./read-crew.ts";

const CORPUS = join(import.meta.dirname, "../../fixtures/corpus");
const PROVIDERS = ["openai", "anthropic", "google", "ollama"];
const Expected = z.record(z.string(), z.object({ code: z.string(), severity: z.string(), place: z.string() }));

const text = await readFile(join(CORPUS, "expected.json"), "utf8");
const expected = new Map(Object.entries(Expected.parse(JSON.parse(text))));
const entries = await readdir(CORPUS, { withFileTypes: true });
const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);

suite("the corpus of seeded bugs", () => {
  test("every crew has an expectation, and every expectation a crew", () => {
    assert.deepEqual(folders.toSorted(), [...expected.keys()].toSorted());
    assert.ok(folders.length >= 30);
  });

  for (const [name, { code, severity, place }] of expected) {
    test(`${name}: ${code} is found at ${place}, and no other error`, async () => {
      const folder = join(CORPUS, name);
      const { crew, findings } = await readCrew(folder, { providers: PROVIDERS });
      const found = findings.map((one) => ({
        ...one,
        place: `${one.file.slice(folder.length + 1)}:${one.line}:${one.column}`,
      }));
      const seen = found.map((one) => `${one.severity} ${one.code} ${one.place}`);
      assert.ok(seen.includes(`${severity} ${code} ${place}`), seen.join("\n"));
      const errors = found.filter((one) => one.severity === "error").map((one) => `${one.code} ${one.place}`);
      assert.deepEqual(errors, severity === "error" ? [`${code} ${place}`] : []);
      assert.equal(crew === undefined, severity === "error");
      assert.ok(found.every(({ message, fix }) => message !== "" && fix !== ""));
    });
  }
});
