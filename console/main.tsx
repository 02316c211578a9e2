import { render } from 'preact';
import { NOT_LOADED } from '../words/language.ts';
import { reloadWhereReplaced } from './browser/reload.ts';
import { showTheme } from './browser/theme.ts';
import { language, showFirstLanguage } from './browser/words.ts';
import { Layout } from './layout/layout.tsx';
import { readSession } from './service/session.ts';

const app = document.getElementById('app') as HTMLElement;
showTheme();
reloadWhereReplaced();
// A person who is signed in sees no sign-in page first.
const isReady = await Promise.all([showFirstLanguage(), readSession()]).then(
  () => true,
  () => false,
);
if (isReady) render(<Layout />, app);
else app.textContent = NOT_LOADED[language.value];
