import type { TransactionWords } from '../en/transaction.ts';

export const transaction: TransactionWords = {
  pending: 'この取引はまだブロックに含まれていません。',
  failed: 'この取引は失敗しました。手数料以外は移転していません。',
  of_type: '種別「{type}」の取引',
  no_asset: '資産の移転がない取引',
  accounts: '{what}のため、関係するアカウントを表示しています。',
  balances: '{what}のため、移転額は残高の変化から算出しています。',
  apportioned: 'どの送付元がどの受取先に支払ったかはチェーンに記録されていません。金額は按分した値です。',
  coinjoin: 'CoinJoinです。同額の出力のうちどれを誰が支払ったかを示すものはありません。',
  delivered: '異なる通貨間の支払いです。金額は実際に届いた額です。',
  partial_payment: '部分支払いです。記載された額は{amount} {asset}ですが、金額は実際に届いた額です。',
  destination_tag: '宛先タグは{tag}です。',
  participants: '参加者{count}件のうち{shown}件のみを表示しています。',
};
