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
  keyHint: 'このタブの中だけで保持され、タブを閉じると消去されます。',
  about: '12のブロックチェーンのアドレスを審査し、調査します。',
  reference: 'APIリファレンス',
  notFound: 'このページは存在しません。',
  pages: {
    scan: 'スキャン',
    investigate: '調査',
    cases: '案件',
    monitoring: 'モニタリング',
    scamdb: '詐欺データベース',
    sources: 'データ源とリスト',
    account: '利用状況とキー',
  },
};
