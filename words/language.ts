/** Languages of answers, reports and the console by their own names: each is a folder beside this file. */
export const LANGUAGE_NAMES = { ja: '日本語', en: 'English', es: 'Español' };
export type Language = keyof typeof LANGUAGE_NAMES;
export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

/** Text of a page where a file of it does not load: it stands here since its words may be among them. */
export const NOT_LOADED: Record<Language, string> = {
  ja: 'ページを読み込めませんでした。サービスが更新された可能性があります。ページを再読み込みしてください。',
  en: 'The page could not be loaded. The service may have been updated: reload the page.',
  es: 'No se pudo cargar la página. Es posible que el servicio se haya actualizado: vuelva a cargar la página.',
};
