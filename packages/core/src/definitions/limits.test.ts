import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { DEFAULT_SETTINGS, SETTING_NAMES, SETTINGS } from "./limits.ts";

suite("settings", () => {
  test("a default is in the engine's unit, and its scale leads back to YAML's", () => {
    assert.deepEqual([DEFAULT_SETTINGS.timeoutMs, SETTINGS.timeoutMs.scale], [300_000, 1_000]);
    assert.deepEqual([DEFAULT_SETTINGS.maxInputBytes, SETTINGS.maxInputBytes.scale], [40 * 1_024, 1_024]);
    assert.deepEqual([DEFAULT_SETTINGS.retryMinMs, SETTINGS.retryMinMs.scale], [100, 1]);
  });

  test("every numeric setting has a default and a name of its own in YAML", () => {
    assert.ok(SETTING_NAMES.every((name) => Number.isFinite(DEFAULT_SETTINGS[name])));
    assert.equal(new Set(SETTING_NAMES.map((name) => SETTINGS[name].yaml)).size, SETTING_NAMES.length);
  });

  test("the defaults cannot be changed", () => {
    assert.throws(() => Object.assign(DEFAULT_SETTINGS, { maxHandoffs: 1 }), TypeError);
  });
});
