/** Languages of reports: each is a folder beside this file. */
export const LANGUAGES = ['ja', 'en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Languages of answers and of the console. */
export const ANSWER_LANGUAGES = ['en', 'ja'] as const satisfies readonly Language[];
export type AnswerLanguage = (typeof ANSWER_LANGUAGES)[number];
