import assert from "node:assert/strict";
import { test } from "node:test";
import { type SettingsStorage, readReaderSettings, writeReaderSettings } from "./settings.ts";

function keep(): SettingsStorage {
  const values = new Map<string, string>();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => {
      values.set(name, value);
    },
    removeItem: (name) => {
      values.delete(name);
    },
  };
}

test("what was chosen is there the next time", () => {
  const kept = keep();
  const chosen = { theme: "dark", language: "vi", density: "compact", shortcuts: false } as const;
  writeReaderSettings(kept, chosen);
  assert.deepEqual(readReaderSettings(kept, ["en-US"]), chosen);
});

test("without a choice the browser's language counts, and what is damaged is as if it was never chosen", () => {
  assert.equal(readReaderSettings(keep(), ["fr", "vi-VN", "en"]).language, "vi");
  assert.equal(readReaderSettings(keep(), ["fr"]).language, "en");
  for (const text of ["{", "[]", "null", '{"theme":"pink","language":3}']) {
    const kept = keep();
    kept.setItem("baton.settings", text);
    assert.equal(readReaderSettings(kept, []).theme, "system", text);
  }
});
