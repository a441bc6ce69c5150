/**
 * Settings menu: what a reader may choose, in a layer of the navigation.
 */
import { Settings2 } from "lucide-react";
import { useApp } from "../app-context.ts";
import type { ReaderSettings } from "./settings.ts";
import { Button } from "../ui/button.tsx";
import { Popover } from "../ui/layers/popover.tsx";
import { ModelNote } from "../models/model-note.tsx";
import { LANGUAGE_NAMES, LANGUAGES } from "../words/words.ts";
import "./settings-menu.css";

const THEMES = ["system", "light", "dark"] as const;
const DENSITIES = ["normal", "compact"] as const;

/** The button and its layer. */
export function SettingsMenu() {
  const { client, words, settings, changeSettings, signIn } = useApp();
  const signOut = (): void => {
    client.signOut().then(
      () => signIn.leave(),
      () => signIn.leave(),
    );
  };
  const { settings: say } = words;
  const icon = (
    <>
      <Settings2 size={18} strokeWidth={1.75} aria-hidden />
      <span className="place-name">{words.nav.settings}</span>
    </>
  );
  return (
    <Popover label={words.nav.settings} className="place settings-button" layerClass="settings-menu" button={icon}>
      {() => (
        <>
          <Choice
            label={say.theme}
            value={settings.theme}
            options={THEMES.map((theme) => [theme, say.themes[theme]])}
            onChoose={(value) => changeSettings(pick("theme", THEMES, value))}
          />
          <Choice
            label={say.language}
            value={settings.language}
            options={LANGUAGES.map((language) => [language, LANGUAGE_NAMES[language]])}
            onChoose={(value) => changeSettings(pick("language", LANGUAGES, value))}
          />
          <Choice
            label={say.density}
            value={settings.density}
            options={DENSITIES.map((density) => [density, say.densities[density]])}
            onChoose={(value) => changeSettings(pick("density", DENSITIES, value))}
          />
          <Switch label={say.shortcuts} name="shortcuts" />
          {signIn.token !== undefined && (
            <div className="settings-row">
              <span>{say.signedIn}</span>
              <Button onPress={signOut}>{say.signOut}</Button>
            </div>
          )}
          <ModelNote />
          <a className="settings-row settings-licences" href="/licences.txt" target="_blank" rel="noreferrer">
            {say.licences}
          </a>
        </>
      )}
    </Popover>
  );
}

/** A change of one setting, if the value is one of its own. */
function pick<Name extends keyof ReaderSettings>(
  name: Name,
  values: readonly ReaderSettings[Name][],
  value: string,
): Partial<ReaderSettings> {
  const found = values.find((one) => one === value);
  return found === undefined ? {} : { [name]: found };
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label className="settings-row">
      <span>{label}</span>
      <select value={value} onChange={({ target }) => onChoose(target.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Switch({ label, name }: { readonly label: string; readonly name: "shortcuts" }) {
  const { settings, changeSettings } = useApp();
  return (
    <label className="settings-row">
      <span>{label}</span>
      <input
        type="checkbox"
        checked={settings[name]}
        onChange={({ target }) => changeSettings({ [name]: target.checked })}
      />
    </label>
  );
}
