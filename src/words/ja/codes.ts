import type { CategoryWords, CodeWords } from '../en/codes.ts';

export const categories: CategoryWords = {
  sanctioned: '制裁対象',
  darknet: 'ダークネットマーケット',
  drainer: 'ウォレットドレイナー',
  scam: '詐欺',
  theft: '窃取',
  ransomware: 'ランサムウェア',
  terrorism: 'テロ資金供与',
  child_abuse: '児童性的虐待コンテンツ',
  mixer: 'ミキサー',
  high_risk_exchange: '高リスク取引所',
  gambling: 'ギャンブル',
  bridge: 'ブリッジ',
  exchange: '取引所',
  dex: '分散型取引所',
  dex_router: '分散型取引所のルーター',
  service: 'サービス',
  other: 'その他',
  unknown: '不明',
};

export const codes: CodeWords = {
  received: '受取',
  sent: '送付',
  ...categories,
  // Kinds of worthless transfers.
  zero_value: '金額ゼロ',
  tiny: 'ごく少額',
  dust_native: 'ダスト',
  counterfeit: '偽トークン',
  // Features of behaviour.
  log_transactions_per_day: '1日当たりの取引件数',
  log_received_usd_per_day: '1日当たりの受取額',
  log_sent_usd_per_day: '1日当たりの送付額',
  sent_received_ratio: '受取額に対する送付額の比率',
  counterparties_per_transaction: '取引当たりの相手方の数',
  median_hold_hours: '資金の保有時間',
  passed_share_24h: '24時間以内に送付された割合',
  round_amount_share: '端数のない金額の割合',
  burstiness: '取引の集中度',
  one_time_counterparty_share: '一度限りの相手方の割合',
  stablecoin_share: 'ステーブルコインの割合',
  hour_entropy: '取引時間帯のばらつき',
};
