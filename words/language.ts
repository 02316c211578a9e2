/** Languages of answers, reports and the console by their own names: each is a folder beside this file. */
export const LANGUAGE_NAMES = { ja: '日本語', en: 'English', es: 'Español' };
export type Language = keyof typeof LANGUAGE_NAMES;
export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];
