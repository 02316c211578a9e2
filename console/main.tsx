import { render } from 'preact';
import { showTheme } from './browser/theme.ts';
import { showLanguage } from './browser/words.ts';
import { Layout } from './layout/layout.tsx';
import { readSession } from './service/session.ts';

showTheme();
// A person who is signed in sees no sign-in page first.
await Promise.all([showLanguage(), readSession()]);
render(<Layout />, document.getElementById('app') as HTMLElement);
