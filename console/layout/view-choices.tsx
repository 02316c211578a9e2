import { LANGUAGE_NAMES, type Language } from '../../words/language.ts';
import { THEMES, type Theme, theme } from '../browser/theme.ts';
import { language, showLanguage, words } from '../browser/words.ts';

/** Language and theme. */
export function ViewChoices() {
  const texts = words().layout;
  return (
    <>
      <select
        aria-label={texts.language}
        value={language.value}
        onChange={(event) => {
          void showLanguage(event.currentTarget.value as Language);
        }}
      >
        {Object.entries(LANGUAGE_NAMES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={texts.theme}
        value={theme.value}
        onChange={(event) => {
          theme.value = event.currentTarget.value as Theme;
        }}
      >
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {texts.themes[one]}
          </option>
        ))}
      </select>
    </>
  );
}
