export const layout = {
  skip: 'Skip to content',
  navigation: 'Pages',
  language: 'Language',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  signIn: 'Sign in',
  signOut: 'Sign out',
  apiKey: 'API key',
  keyHint: 'Kept for this tab only: the browser forgets it when the tab is closed.',
  about: 'Screen and investigate blockchain addresses on twelve chains.',
  reference: 'API reference',
  notFound: 'There is no such page.',
  pages: {
    scan: 'Scan',
    investigate: 'Investigate',
    cases: 'Cases',
    monitoring: 'Monitoring',
    scamdb: 'Scam database',
    sources: 'Sources and lists',
    account: 'Usage and keys',
  },
};

export type LayoutWords = typeof layout;
