export const layout = {
  skip: 'Skip to content',
  navigation: 'Pages',
  language: 'Language',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  signIn: 'Sign in',
  signOut: 'Sign out',
  apiKey: 'API key',
  keyHint: 'Kept for this session: the tabs of this window share it, and the browser forgets it with the last of them.',
  about: 'Screen and investigate blockchain addresses.',
  reference: 'API',
  notFound: 'There is no such page.',
  pages: {
    scan: 'Scan',
    investigate: 'Investigate',
    query: 'Query',
    cases: 'Cases',
    monitoring: 'Monitoring',
    scamdb: 'Scam database',
    sources: 'Sources',
    account: 'Account',
  },
};

export type LayoutWords = typeof layout;
