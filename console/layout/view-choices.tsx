import { useState } from 'preact/hooks';
import { LANGUAGE_NAMES, type Language } from '../../words/language.ts';
import { THEMES, type Theme, theme } from '../browser/theme.ts';
import { language, showLanguage, words } from '../browser/words.ts';
import { ErrorNote } from '../parts/notes.tsx';

/** Language and theme. */
export function ViewChoices() {
  const texts = words().layout;
  const [hasFailed, setHasFailed] = useState(false);
  const choose = async (select: HTMLSelectElement) => {
    setHasFailed(false);
    try {
      await showLanguage(select.value as Language);
    } catch {
      select.value = language.value;
      setHasFailed(true);
    }
  };
  return (
    <>
      <select aria-label={texts.language} value={language.value} onChange={(event) => void choose(event.currentTarget)}>
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
      <ErrorNote error={hasFailed ? texts.languageNotLoaded : null} />
    </>
  );
}
