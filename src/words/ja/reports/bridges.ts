import type { BridgeWords } from '../../en/reports/bridges.ts';

export const bridges: BridgeWords = {
  crossings: 'ブリッジを経由した移転',
  crossed: 'ブリッジ {protocol}：{from}から{to}へ',
  message: '、メッセージID {id}',
  left: '{chain}からの送付：{amount}、{at}、取引 {tx}',
  arrived: '{chain}への着金：{amount}、{at}、取引 {tx}',
  unknownLeft: '{chain}からの送付：不明',
  unknownArrived: '{chain}への着金：不明',
  recipient: '、送付先 {address}',
  match: {
    id: '両側の記録が同じメッセージを示しています。',
    likely: '同一の移転である可能性が高いものです。送付先・金額・時刻は一致しますが、メッセージIDでは確認できません。',
    confirmed:
      '送付先・金額・時刻は一致しますが、メッセージIDでは確認できません。同一の移転であることを{by}が{at}に確認しました。',
  },
  open: 'このような申告は誰でも行えます。',
  openDiffers: '両側は同じメッセージを示していますが、このような申告は誰でも行え、両側の金額は一致しないか不明です。',
  confirmed: '両取引を結び付けるメッセージIDはありませんが、同一の移転であることを{by}が{at}に確認しました。',
  fee: '着金しなかった額（手数料）：{amount}',
  notFollowed: '追跡していません：{reason}。',
  end: '{protocol}（{from}から{to}へ）：{reason}',
  otherChain: 'チェーン{raw}',
  unknown: '不明なチェーン',
  unknownAddress: '（不明）',
  sentence:
    'アドレス{address}と「{category}」との間の資金の経路で、ブリッジ{protocol}が使われています。{from}から{sent}が取引{tx_out}で送付され、{to}に{received}が取引{tx_in}で着金しました。',
  confirmedSentence:
    'ブリッジ{protocol}を経由して、{from}のアドレス{sender}から{sent}が取引{tx_out}で送付され、{to}のアドレス{recipient}に{received}が取引{tx_in}で着金しました。',
  confirmedCrossings: '担当者が確認したブリッジ経由の移転',
  confirmedOmitted:
    '担当者が確認したブリッジ経由の移転は、制限時間内に読み取れなかったため、本レポートには含まれません。',
  rowLeft: 'ブリッジを経由した移転の送付側。着金側は{chain}の取引{tx}。',
  rowArrived: 'ブリッジを経由した移転の着金側。送付側は{chain}の取引{tx}。',
};
