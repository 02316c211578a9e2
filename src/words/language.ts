/** Languages of reports by their own names: each is a folder beside this file. */
export const LANGUAGE_NAMES = { ja: '日本語', en: 'English', es: 'Español' };
export type Language = keyof typeof LANGUAGE_NAMES;
export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

/** Languages of answers and of the console. */
export const ANSWER_LANGUAGES = ['en', 'ja'] as const satisfies readonly Language[];
export type AnswerLanguage = (typeof ANSWER_LANGUAGES)[number];
