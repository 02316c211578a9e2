import type { DetectionWords } from '../en/detections.ts';
import { variantsOf } from '../en/exposure-variants.ts';
import { detectors } from './codes.ts';

/** Who is on the other side, by category. */
const PARTIES = {
  sanctioned: '制裁対象者',
  terrorism: 'テロ資金供与に関わる者',
  darknet: 'ダークネットマーケット',
  child_abuse: '児童性的虐待コンテンツの販売者',
  drainer: 'ウォレットドレイナー',
  theft: '窃取事案のウォレット',
  ransomware: 'ランサムウェアの犯行者',
  scam: '詐欺アドレス',
  mixer: 'ミキサー',
  high_risk_exchange: '高リスク取引所',
};

const UNDATED = '指定日はリストに記載されていません。';
const BEFORE = '資金の移動は、相手方が制裁対象に指定される前[（指定日：{designated_at}）]です。';
const BEFORE_COUNTRY =
  '資金の移動は、国・分野を対象とする制裁プログラム（{programmes}）により相手方が指定される前[（指定日：{designated_at}）]です。';

/** The same text whoever stands at the end of the money. */
const INDIRECT = {
  received:
    '受取総額の{share}（{worth}）[、直近90日間では{recent_share}]が、{party}[「{entities}」]から流入しています（最短{min_hops}ホップ、ラベルのないウォレットを経由した推定）。',
  lost: '{value}を失っています。送付総額の{share}が、{party}[「{entities}」]に到達しています（最短{min_hops}ホップ、ラベルのないウォレットを経由した推定）。',
  sent: '送付総額の{share}（{worth}）が、{party}[「{entities}」]に到達しています（最短{min_hops}ホップ、ラベルのないウォレットを経由した推定）。',
};

/** Which Japanese word stands for which: docs/japanese-terms.md. */
export const detections: DetectionWords = {
  report: '[相手方の分類は{reported_by}の報告のみによるもので、確実ではありません。]',
  who: '相手方は{parties}[ほか{others}件]です。',
  nobody: 'トークンの新規発行または焼却',
  when: { day: '日付は{from_at}です。', span: '期間は{from_at}から{to_at}までです。' },
  names: detectors,
  texts: {
    'sanctions_self.listed': 'このアドレスは制裁対象です：{label}[、掲載は{listed_on}の同じ鍵]（出典：{source}）。',
    'sanctions_self.reported':
      'このアドレスは制裁対象として報告されています：{label}[、掲載は{listed_on}の同じ鍵]（報告元：{source}）。',
    'sanctions_self.delisted':
      'このアドレスはかつて制裁対象でしたが、{delisted_at}に解除されています：{label}（出典：{source}）。',
    'subject_category.listed':
      'このアドレス自体が「{category}」に分類されています：{label}[、掲載は{listed_on}の同じ鍵]（出典：{source}）。',
    'subject_category.reported':
      'このアドレスは「{category}」として報告されています：{label}[、掲載は{listed_on}の同じ鍵]（報告元：{source}）。',
    known_malicious: 'このコントラクトは悪意のあるものとして知られています：{label}（出典：{source}）。',
    'known_malicious.reported': 'このコントラクトは悪意のあるものとして報告されています：{label}（報告元：{source}）。',
    ...exposureTexts('sanctions_direct', '', PARTIES.sanctioned),
    ...exposureTexts('sanctions_direct', '_undated', '制裁対象者（指定日はリストに記載なし）'),
    ...exposureTexts('sanctions_direct', '_before', '後に制裁対象となった相手方[（指定日：{designated_at}）]'),
    ...exposureTexts(
      'sanctions_direct',
      '_before_country',
      '後に国・分野を対象とする制裁プログラム（{programmes}）により指定された相手方[（指定日：{designated_at}）]',
    ),
    'sanctions_indirect.received': INDIRECT.received,
    'sanctions_indirect.sent': INDIRECT.sent,
    'sanctions_indirect.received_undated': `${INDIRECT.received}${UNDATED}`,
    'sanctions_indirect.sent_undated': `${INDIRECT.sent}${UNDATED}`,
    'sanctions_indirect.received_before': `${INDIRECT.received}${BEFORE}`,
    'sanctions_indirect.sent_before': `${INDIRECT.sent}${BEFORE}`,
    'sanctions_indirect.received_before_country': `${INDIRECT.received}${BEFORE_COUNTRY}`,
    'sanctions_indirect.sent_before_country': `${INDIRECT.sent}${BEFORE_COUNTRY}`,
    'co_spent_with_listed.joint':
      '{address}（{party}：{entities}）と同じ取引{transactions}件で{value}を支出しています。1件の取引の入力は、通常すべて同一の所有者によるものです。',
    'co_spent_with_listed.payjoin':
      '{address}（{party}：{entities}）と同じ取引1件で{value}を支出しています。支払人と受取人が共同で支出するペイジョインの形をしています。',
    accomplice:
      '{victims}者が{entities}に資金を失ったのと同じ取引で、{transfers}件・{value}（流入の{share}）を受け取っています。関与は推定であり、リストには掲載されていません。',
    'accomplice.signed':
      '{victims}者が{entities}に{value}を失った{transfers}件の取引に署名しています。関与は推定であり、リストには掲載されていません。',
    shared_layer:
      '{senders}者から資金を集めてほぼ残さず送り出し、流出の{share}（{usd}）が、{entities}も資金を送付している{wallets}件のウォレットに渡っています。同じ者のための集金であることは推定であり、リストには掲載されていません。',
    'indirect_exposure.received': INDIRECT.received,
    'indirect_exposure.sent': INDIRECT.sent,
    'indirect_exposure.lost': INDIRECT.lost,
    'beyond_reach.received':
      '流入の{share}（{worth}）は{hops}段階を経て、追跡できる範囲より遠くから来ています。その大部分は、資金を受け渡すだけのウォレットの連鎖か、不正との報告があるアドレスを経由しています。出所は不明です。',
    'beyond_reach.sent':
      '流出の{share}（{worth}）は{hops}段階を経て、追跡できる範囲より遠くへ渡っています。その大部分は、資金を受け渡すだけのウォレットの連鎖か、不正との報告があるアドレスを経由しています。行き先は不明です。',
    ...exposureTexts('terrorism_exposure', '', PARTIES.terrorism),
    ...exposureTexts('darknet_exposure', '', PARTIES.darknet),
    ...exposureTexts('child_abuse_exposure', '', PARTIES.child_abuse),
    ...exposureTexts('drainer_exposure', '', PARTIES.drainer),
    ...exposureTexts('theft_exposure', '', PARTIES.theft),
    ...exposureTexts('ransomware_exposure', '', PARTIES.ransomware),
    ...exposureTexts('scam_exposure', '', PARTIES.scam),
    ...exposureTexts('mixer_exposure', '', PARTIES.mixer),
    ...exposureTexts('high_risk_exchange_exposure', '', PARTIES.high_risk_exchange),
    'gambling_exposure.sent': '送付総額の{share}（{worth}）がギャンブルサービスへ送付されています。',
    'gambling_exposure.received': '受取総額の{share}（{worth}）がギャンブルサービスから送付されています。',
    poisoning_loss: '既知の相手方との混同を狙って仕込まれていたアドレス「{lookalike}」に、{value}を失っています。',
    address_poisoning:
      '価値のない移転（{baits}件、{kind}）により、既知の相手方「{genuine}」に似たアドレス「{lookalike}」が取引履歴に仕込まれています（先頭{prefix}文字と末尾{suffix}文字が一致）。送付の前に、アドレス全体を確認してください。',
    'address_poisoning.bait':
      'このアドレスは、価値のない移転（{baits}件、{kind}）で{victims}者を誘導しようとしています。「{victim}」の送付先「{genuine}」に似ています（先頭{prefix}文字と末尾{suffix}文字が一致）。',
    'fan_in.kept': '{minutes}以内に、互いに関係のない{senders}件の送付元から計{value}を受け取っています。',
    'fan_in.forwarded':
      '{minutes}以内に、互いに関係のない{senders}件の送付元から計{value}を受け取り、その{forwarded_share}を間もなく送付しています。',
    rapid_distribution: '{minutes}以内に、{receivers}件の送付先へ計{value}を送付しています。',
    fan_out: '{minutes}以内に、{receivers}件の送付先へ計{value}を送付しています。',
    gather_scatter:
      '{minutes}以内に、{senders}件の送付元から計{value}を受け取り、その{passed_share}を別の{receivers}件の送付先へ送付しています。',
    'gather_scatter.around':
      '{minutes}以内に、複数の送付元から受け取った計{usd}[（このアドレスからの送付：{amounts}）]が、別の複数の送付先へ送付されています。',
    pass_through: '{episodes}件で受け取った計{value}のうち{passed_share}が、受取から{minutes}以内に送付されています。',
    'pass_through.around':
      '{minutes}の間に受け取った計{usd}[（このアドレスからの送付：{amounts}）]が、受取の都度、間もなく送付されています。',
    'cycle.pair':
      '{minutes}以内に、同じ相手方との間で資金が{round_trips}回往復しています（計{worth}、うち戻った割合：{returned_share}）。',
    'cycle.ring':
      '送付した資金が、{minutes}以内に別の{addresses}アドレスを経由して戻っています（計{usd}[、このアドレスからの送付は{amounts}]）。',
    peel_chain: '{start_usd}の残高から、{peels}回続けて少額が切り出されています（計{worth}）。',
    'peel_chain.chain':
      '資金（計{usd}[、このアドレスからの送付は{amounts}]）が、少額を切り出しながら別の{addresses}アドレスを続けて経由しています。',
    scatter_gather:
      '計{usd}[（このアドレスからの送付：{amounts}）]が{addresses}件のアドレスに分散された後、{minutes}以内に一つの送付先へ集約されています。',
    'scatter_gather.received':
      '一つの送付元から{addresses}件のアドレスに分散された計{usd}を、{minutes}以内に受け取っています。',
    relay_chain:
      '{usd}[（このアドレスからの送付：{amounts}）]が、{minutes}以内にほぼ全額のまま{transfers}回続けて転送されています。',
    'wash_trading.token':
      '同じ相手方との間で{asset}が{round_trips}回往復し（計{worth}[、差引き{net_share}]）、実質的な移転はほとんどありません。',
    'wash_trading.nft':
      '{asset}（トークンID：{token_id}）が、同じ当事者の間で繰り返し移転されています（支払額：計{usd}）。',
    'structuring.sent':
      '{minutes}以内に、{limit}をわずかに下回る送付が同じ送付先へ{transfers}件、計{value}あり、偶然では説明がつきません。',
    'structuring.received':
      '{minutes}以内に、{limit}をわずかに下回る受取が同じ送付元から{transfers}件、計{value}あり、偶然では説明がつきません。',
    large_transfer: '[他に高額の移転が{more}件あり、]最大の移転[（{direction}）]は{value}です。',
    'high_velocity.burst':
      '1日に最大{transactions_day}件、1時間に最大{transactions_hour}件の取引があり、このアドレスの通常の頻度を大きく上回っています。',
    'high_velocity.large_payments': '{minutes}以内に、高額の移転が{transfers}件、計{value}あります。',
    dormant_reactivation: '{gap_days}日間にわたり送付がなかった後、[{minutes}以内に]{value}が送付されています。',
    new_address_large_inflow: '新規アドレスが、最初の{payments}件[（{minutes}以内）]で{value}を受け取っています。',
    'cex_cash_out.plain': '送付総額の{share}（{worth}）が取引所へ送付されています。',
    'cex_cash_out.tainted':
      '不正な資金の流入[（受取総額の{tainted_share}）]の後、送付総額の{share}（{worth}）が取引所へ送付されています。',
    'chain_hopping.plain':
      '{hours}時間以内に、{bridges}種類のブリッジ（{names}）を通じて計{value}[（うち{crossings}件は{chains}への着金を確認済み：{arrivals}）]を送付しています。',
    'chain_hopping.tainted':
      '不正な送付元からの流入の後、{hours}時間以内に、{bridges}種類のブリッジ（{names}）を通じて計{value}[（うち{crossings}件は{chains}への着金を確認済み：{arrivals}）]を送付しています。',
    high_fee_loss: '資産の交換{conversions}件で、{value}のうち{lost_usd}（{loss_share}）の損失が生じています。',
    privacy_asset: '他の資産を{assets}に交換しています（計{worth}）。',
    ml_anomaly:
      '挙動が通常と異なります（スコア{score}、最大1）。主な要因：{features}。通常と異なることは、違法であることを意味しません。',
  },
  parties: PARTIES,
};

/** How exposure to one kind of party reads; `suffix` names its standing. */
function exposureTexts<Detector extends string, Suffix extends string>(
  detector: Detector,
  suffix: Suffix,
  party: string,
) {
  const received = `${party}「{entities}」から{value}を受け取っています（[受取総額の{share}、]{transfers}件[、ほかの種類の犯罪と合わせて{together_share}]）。`;
  return variantsOf(detector, suffix, {
    sent: `${party}「{entities}」へ{value}を送付しています（[送付総額の{flow_share}、]{transfers}件[、ほかの種類の犯罪と合わせて{together_share}]）。`,
    claimed: `トークンのコントラクトは、このアドレスが${party}「{entities}」へ{amounts}を送付したと記録しています（{transfers}件）。アドレス自身は指示しておらず、誰でも書き込める記録です。`,
    lost: `${party}「{entities}」に{value}を失っています（{transfers}件）。`,
    taken: `${party}「{entities}」に、承認または許可を通じて{value}を引き出されています（{transfers}件）。`,
    returned: `${party}「{entities}」に失った資金のうち{value}が戻っています（{transfers}件）。`,
    handed_back: `${party}「{entities}」から{value}を受け取り（{transfers}件）、全額を同じアドレスへ送り返しています。`,
    received,
    received_small: `${received}金額は少額です。`,
    received_dust: `${received}この相手方への送付はなく、一方的に送り付けられたダストとして扱っています。`,
    received_first: `${received}このアドレスが最初に受け取った資金です。`,
  });
}
