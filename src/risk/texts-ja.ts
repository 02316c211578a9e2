import type { Wording } from './wording.ts';

export const TEXTS_JA: Wording = {
  names: {
    sanctions_self: '制裁対象アドレス',
    subject_category: '既知の不正アドレス',
    known_malicious: '既知の悪意あるコントラクト',
    sanctions_direct: '制裁対象との直接取引',
    sanctions_indirect: '制裁対象との間接的なつながり',
    darknet_exposure: 'ダークネット市場との取引',
    drainer_exposure: 'ウォレットドレイナーとの取引',
    scam_exposure: '詐欺アドレスとの取引',
    mixer_exposure: 'ミキサーとの取引',
    indirect_exposure: '不正資金との間接的なつながり',
    poisoning_loss: '類似アドレスへの誤送金',
    address_poisoning: 'アドレスポイズニングの試み',
    fan_in: '多数の送金元からの集金',
    rapid_distribution: '短時間での分散送金',
    fan_out: '多数の宛先への分散送金',
    gather_scatter: '集金と分散',
    pass_through: '資金の素通り',
    cycle: '資金の往復',
    peel_chain: '残高の少額切り出し（ピーリング）',
    wash_trading: '仮装売買（ウォッシュトレード）',
    structuring: '基準額を避けた分割送金',
    large_transfer: '高額送金',
    high_velocity: '異常な取引頻度',
    dormant_reactivation: '長期休眠後の再稼働',
    new_address_large_inflow: '新規アドレスへの高額入金',
    cex_cash_out: '取引所への資金集中',
    chain_hopping: '複数ブリッジの利用',
    high_fee_loss: '損失を伴う交換の反復',
    privacy_asset: '匿名性の高い資産への交換',
    gambling_exposure: 'ギャンブルサービスとの取引',
    ml_anomaly: '通常と異なる挙動',
  },
  texts: {
    'sanctions_self.listed': 'このアドレスは制裁対象です：{label}（出典：{source}）。',
    'sanctions_self.delisted':
      'このアドレスは{delisted_at}まで制裁対象でしたが、現在は解除されています：{label}（出典：{source}）。',
    subject_category: 'このアドレス自体が「{category}」として登録されています：{label}（出典：{source}）。',
    known_malicious: '悪意あるコントラクトとして知られています：{label}（出典：{source}）。',
    'sanctions_direct.sent': '制裁対象（{entities}）へ{value}を送金しています（{transfers}件）。',
    'sanctions_direct.sent_before':
      '後に制裁対象となった相手（{entities}）へ{value}を送金しています（{transfers}件）。',
    'sanctions_direct.received':
      '制裁対象（{entities}）から{value}（入金額の{share}）を受け取っています（{transfers}件）。',
    'sanctions_direct.received_before':
      '後に制裁対象となった相手（{entities}）から{value}（入金額の{share}）を受け取っています（{transfers}件）。',
    'sanctions_direct.received_dust':
      '制裁対象（{entities}）から{value}（入金額の{share}）を受け取っていますが、少額のため一方的に送り付けられたものとみなします。',
    'sanctions_direct.received_dust_before':
      '後に制裁対象となった相手（{entities}）から{value}（入金額の{share}）を受け取っていますが、少額のため一方的に送り付けられたものとみなします。',
    'sanctions_indirect.received':
      '入金額の{share}（{usd}）が、ラベルのないアドレスを経由して制裁対象から流入しています（最短{min_hops}ホップ）。',
    'sanctions_indirect.sent':
      '出金額の{share}（{usd}）が、ラベルのないアドレスを経由して制裁対象に流出しています（最短{min_hops}ホップ）。',
    'indirect_exposure.received':
      '入金額の{share}（{usd}）が、ラベルのないアドレスを経由して「{category}」から流入しています（最短{min_hops}ホップ）。',
    'indirect_exposure.sent':
      '出金額の{share}（{usd}）が、ラベルのないアドレスを経由して「{category}」に流出しています（最短{min_hops}ホップ）。',
    ...exposureTexts('darknet', 'ダークネット市場のアドレス'),
    ...exposureTexts('drainer', 'ウォレットドレイナーのアドレス'),
    ...exposureTexts('scam', '詐欺に関わるアドレス'),
    ...exposureTexts('mixer', 'ミキサーのアドレス'),
    'gambling_exposure.sent': '出金額の{share}（{usd}）がギャンブルサービスに送られています。',
    'gambling_exposure.received': '入金額の{share}（{usd}）がギャンブルサービスから送られています。',
    poisoning_loss: '取引先に似せて仕込まれたアドレス{lookalike}へ{usd}を送金しています。',
    address_poisoning:
      '無価値な送金（{baits}件、{kind}）により、取引先{genuine}に似せたアドレス{lookalike}が履歴に仕込まれています（先頭{prefix}文字と末尾{suffix}文字が一致）。送金前にアドレス全体を確認してください。',
    'address_poisoning.bait':
      '無価値な送金（{baits}件、{kind}）で{victims}件の相手の履歴に紛れ込んでいます。{victim}の送金先{genuine}に似せたアドレスです（先頭{prefix}文字と末尾{suffix}文字が一致）。',
    fan_in:
      '互いに無関係な{senders}の送金元から{hours}時間以内に{usd}を受け取っています（うち間もなく送金された割合：{forwarded_share}）。',
    rapid_distribution: '{hours}時間以内に{receivers}の宛先へ計{usd}を送金しています。',
    fan_out: '{hours}時間以内に{receivers}の宛先へ計{usd}を送金しています。',
    gather_scatter:
      '{hours}時間以内に{senders}の送金元から{usd}を集め、その{passed_share}を別の{receivers}の宛先へ送金しています。',
    pass_through: '{episodes}件の入金（計{usd}）のうち{passed_share}が{hours}時間以内に出金されています。',
    cycle: '{hours}時間以内に同じ相手との間で資金が{round_trips}回往復しています（計{usd}、戻り率{returned_share}）。',
    peel_chain: '{start_usd}の残高から{peels}回続けて少額が切り出されています（計{usd}）。',
    'wash_trading.token':
      '同じ相手との間で{asset}が{round_trips}回往復し（計{usd}）、実質的な移転はほとんどありません（差引{net_share}）。',
    'wash_trading.nft': '{asset}（トークンID {token_id}）が同じ当事者間で売買を繰り返しています（計{usd}）。',
    'structuring.sent':
      '{hours}時間以内に、{limit}をわずかに下回る送金が同じ宛先へ{transfers}件（計{usd}）あり、偶然とは考えにくい水準です。',
    'structuring.received':
      '{hours}時間以内に、{limit}をわずかに下回る入金が同じ送金元から{transfers}件（計{usd}）あり、偶然とは考えにくい水準です。',
    large_transfer: '高額な送金が{transfers}件あります（最大{largest_usd}）。',
    'high_velocity.burst':
      '1日最大{transactions_day}件、1時間最大{transactions_hour}件の取引があり、このアドレスの通常の頻度を大きく上回ります。',
    'high_velocity.large_payments': '24時間以内に高額の取引が{transfers}件（計{usd}）あります。',
    dormant_reactivation: '{gap_days}日間出金がなかった後、1週間以内に{usd}が出金されています。',
    new_address_large_inflow: '新しいアドレスが最初の{hours}時間で{usd}を受け取っています。',
    'cex_cash_out.plain': '出金額の{share}（{usd}）が取引所に送られています。',
    'cex_cash_out.tainted':
      '不正な資金の入金（入金額の{tainted_share}）があり、出金額の{share}（{usd}）が取引所に送られています。',
    'chain_hopping.plain': '{hours}時間以内に{bridges}種類のブリッジ（{names}）を通じて{usd}を送金しています。',
    'chain_hopping.tainted':
      '不正な資金の入金後、{hours}時間以内に{bridges}種類のブリッジ（{names}）を通じて{usd}を送金しています。',
    high_fee_loss: '資産の交換{conversions}件で、{usd}のうち{lost_usd}（{loss_share}）の損失が出ています。',
    privacy_asset: '他の資産を{assets}に交換しています（計{usd}）。',
    ml_anomaly:
      '挙動が通常と異なります（スコア{score}、最大1）。主な要因：{features}。異常であることは違法を意味しません。',
  },
  words: {
    sanctioned: '制裁対象',
    darknet: 'ダークネット市場',
    drainer: 'ウォレットドレイナー',
    scam: '詐欺',
    mixer: 'ミキサー',
    zero_value: '金額ゼロ',
    tiny: 'ごく少額',
    dust_native: 'ダスト',
    counterfeit: '偽トークン',
    log_transactions_per_day: '1日あたりの取引件数',
    log_received_usd_per_day: '1日あたりの入金額',
    log_sent_usd_per_day: '1日あたりの出金額',
    sent_received_ratio: '入金額に対する出金額の比率',
    counterparties_per_transaction: '取引あたりの相手先数',
    median_hold_hours: '保有時間',
    passed_share_24h: '24時間以内に出金された割合',
    round_amount_share: '端数のない金額の割合',
    burstiness: '取引の集中度',
    one_time_counterparty_share: '一度限りの相手先の割合',
    stablecoin_share: 'ステーブルコインの割合',
    hour_entropy: '取引時間帯のばらつき',
  },
  unpriced: '価格不明の資産',
  usd: (amount) => `${amount}米ドル`,
  yen: (amount) => `${amount}円`,
  minutes: (count) => `${count}分`,
  hours: (count) => `${count}時間`,
  lessThan: (share) => `${share}未満`,
  listSeparator: '、',
};

function exposureTexts(category: string, noun: string): Record<string, string> {
  const id = `${category}_exposure`;
  return {
    [`${id}.sent`]: `${noun}へ{value}（出金額の{share}）を送金しています（{transfers}件）。`,
    [`${id}.received`]: `${noun}から{value}（入金額の{share}）を受け取っています（{transfers}件）。`,
    [`${id}.received_dust`]: `${noun}から{value}（入金額の{share}）を受け取っていますが、少額のため一方的に送り付けられたものとみなします。`,
  };
}
