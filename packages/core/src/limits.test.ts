import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { DEFAULT_SETTINGS, fillSettings, SETTING_NAMES, SETTINGS } from "./limits.ts";

suite("settings", () => {
  test("what is given stays, all else is the default", () => {
    const settings = fillSettings({ maxHandoffs: 9, language: "vi" });
    assert.deepEqual(settings, { ...DEFAULT_SETTINGS, maxHandoffs: 9, language: "vi" });
    assert.equal(settings.timeoutMs, 300_000);
  });

  test("every numeric setting has a default and a name of its own in YAML", () => {
    assert.ok(SETTING_NAMES.every((name) => Number.isFinite(DEFAULT_SETTINGS[name])));
    assert.equal(new Set(SETTING_NAMES.map((name) => SETTINGS[name].yaml)).size, SETTING_NAMES.length);
  });

  test("the defaults cannot be changed", () => {
    assert.throws(() => Object.assign(DEFAULT_SETTINGS, { maxHandoffs: 1 }), TypeError);
  });
});
