import { render } from 'preact';
import { showTheme } from './browser/theme.ts';
import { showLanguage } from './browser/words.ts';
import { Layout } from './layout/layout.tsx';

showTheme();
showLanguage();
render(<Layout />, document.getElementById('app') as HTMLElement);
