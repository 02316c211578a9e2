import { render } from 'preact';
import { showTheme } from './browser/theme.ts';
import { Layout } from './layout/layout.tsx';
import { showLanguage } from './texts/language.ts';

showTheme();
showLanguage();
render(<Layout />, document.getElementById('app') as HTMLElement);
