import type { RequestWords } from '../../en/reports/requests.ts';

export const requests: RequestWords = {
  title: '凍結および記録保全の依頼：{service}',
  reference: '照会番号',
  case: '案件',
  date: '日付',
  intro:
    '上記の案件において、{usd}（追跡した資金の{share}、{assets}）が、公開リストで{service}のものとされているアドレスに到達しました。経路は公開台帳で追跡し、取引は以下のとおりです。',
  deposits: '顧客の入金用アドレスと推定されるもの（受領分をすべて送付）',
  way: '到達までの経路',
  partOf: '台帳上は{moved}、うち追跡分{part}',
  cut: '案件の資金のうち{usd}は終点まで追跡できていません（{reasons}）。{service}にさらに到達している可能性があります。',
  addresses: '到達先アドレス',
  transactions: '取引',
  moreAddresses: 'ほかに{count}件のアドレスがあります。請求に応じて通知します。',
  moreTransactions: 'ほかに{count}件の取引があります。請求に応じて通知します。',
  tag: '宛先タグ{tag}',
  sourceTag: '送信元タグ{tag}',
  untagged: 'タグなし',
  noTag: '宛先タグの記載がないものは、取引そのもので有無を確認できます。',
  askedTitle: '依頼事項',
  asked: [
    '法令の許す範囲で、上記の数量が入った口座の残高を凍結すること',
    '当該口座の顧客の本人特定事項および連絡先を所管の官公庁に通知すること',
    '当該口座の記録（IPアドレスと端末を含むログイン、預入、売買、払出）を保全すること',
    '資金が移転された場合は、その先（アドレス、取引、数量、時刻）を通知すること',
    '上記の照会番号で回答し、担当者を通知すること',
  ],
  closing:
    '依頼者・官公庁・法的根拠：【要記入】。アドレスの帰属は兆候であり証明ではありません。貴社のアドレスでない場合はその旨をお知らせください。',
};
