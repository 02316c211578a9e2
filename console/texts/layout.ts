import { inLanguages } from './language.ts';

export const layoutTexts = inLanguages({
  en: {
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
    pages: { scan: 'Scan', investigate: 'Investigate', cases: 'Cases', monitoring: 'Monitoring' },
  },
  ja: {
    skip: '本文へ移動',
    navigation: 'ページ',
    language: '言語',
    theme: '配色',
    themes: { system: 'システム設定', light: 'ライト', dark: 'ダーク' },
    signIn: 'サインイン',
    signOut: 'サインアウト',
    apiKey: 'APIキー',
    keyHint: 'このタブの中だけで保持され、タブを閉じると消去されます。',
    about: '12のブロックチェーンのアドレスを審査し、調査します。',
    reference: 'APIリファレンス',
    notFound: 'このページは存在しません。',
    pages: { scan: 'スキャン', investigate: '調査', cases: '案件', monitoring: 'モニタリング' },
  },
});
