import type { LayoutWords } from '../../en/console/layout.ts';

export const layout: LayoutWords = {
  skip: '本文へ移動',
  navigation: 'ページ',
  language: '言語',
  theme: '配色',
  themes: { system: 'システム設定', light: 'ライト', dark: 'ダーク' },
  signIn: 'サインイン',
  signOut: 'サインアウト',
  apiKey: 'APIキー',
  keyHint: 'このセッションの間だけ、開いているタブで共有されます。最後のタブを閉じると消去されます。',
  about: 'ブロックチェーンのアドレスを審査し、調査します。',
  reference: 'API',
  notFound: 'このページは存在しません。',
  pages: {
    scan: 'スキャン',
    investigate: '調査',
    query: 'クエリ',
    cases: '案件',
    monitoring: 'モニタリング',
    scamdb: '詐欺データベース',
    sources: 'データ源',
    account: 'アカウント',
  },
};
