import type * as en from '../en/answers.ts';
import type { NamedLabel, PartyRole, PresignWords, SummaryWords } from '../en/answers.ts';
import { variantsOf } from '../en/forms.ts';
import { codes, detectors } from './codes.ts';
import { forms } from './forms.ts';

export const exposure: typeof en.exposure = {
  out_of_time: '検索が制限時間内に終わりませんでした。再度実行するか、ホップ数を減らしてください。',
  no_transfers: 'グラフにこのアドレスの移転はありません。',
  not_scanned: 'このアドレスはまだスキャンされていません。他のスキャンで確認された移転のみが集計されています。',
  not_scanned_of:
    '{all}件のアドレスのうち{unread}件はまだスキャンされていません。それらは他のスキャンで確認された移転のみが集計されています。',
  hop_limit: '{usd}米ドル分の資金は、{hops}ホップより先を追跡していません（max_hops）。',
  relays: '送付元と送付先がそれぞれ一つだけのウォレットはホップに数えません（1経路あたり最大{steps}段階）。',
  likely: '{usd}米ドル分の資金は、相手側が可能性にとどまるブリッジを経由して追跡しています（likely_matches=follow）。',
  open: '{usd}米ドル分の資金は、誰でも記録できる申告に基づき、ブリッジを経由して追跡しています（bridge_open）。',
};

export const funds: typeof en.funds = {
  not_read:
    'グラフにはこのアドレスのこの方向の移転がありません。スキャン（GET /public/scan）または資金追跡（POST /graph/trace）を行ってから、再度実行してください。',
  no_subject: 'この案件には役割が `subject` のアドレスがありません。資金を追跡するアドレスにこの役割を付けてください。',
  ends_at:
    '資金の追跡は、ラベルリストに記載のある{parties}で終わっています。その先も追跡するには、役割を「{role}」として案件に追加してください。対象のアドレスはすべて一つの当事者として扱います。',
  subjects_unread: '{count}件のアドレスはまだ読み取られていません。これらは他で確認された移転のみが集計されています。',
  members_max:
    '対象とその保有者のアドレス{count}件のうち、{followed}件を追跡しています。これらから残りのアドレスへの支払いは含まれず、残りのアドレスからの送付先は分かりません。',
  subjects_max: '対象{count}件のうち、最初の{most}件を追跡しています。',
  exchanged: '自らの1つの取引内での交換は、受取にも送付にも数えません。{usd} USD は合計に含まれません。',
  uncovered: '送付のうち {usd} USD は、把握している受取では説明できません。',
  flows_max: '資金の流れ{count}件のうち、大きい順に{shown}件を表示しています。',
  methods: {
    fifo: '混合した資金は先入先出で帰属させています。各支払いは、そのウォレットの最も古い受取から充てます。',
    lifo: '混合した資金は後入先出で帰属させています。各支払いは、そのウォレットの最も新しい受取から充てます。',
    lowest_balance:
      '混合した資金は最低残高で帰属させています。追跡対象の資金は最後に使われるものとし、着金後の最低残高を超えて残ることはありません。',
    poison:
      '`reached` のある行は、追跡対象の資金と混ざった資金が届いた先です。金額はそこからは定まりません。他の行の金額は按分によります。',
  },
  no_row_depends:
    'どの行も、混合した資金の帰属方法に左右されません。按分、先入先出、後入先出、最低残高のいずれでも同じ金額です。',
  rows_depend:
    '{rows}行のうち{same}行（資金の{share}）は、混合した資金の帰属方法に左右されません。他の行には最小額と最大額を示します。',
  range_late: 'すべての方法による帰属の計算が終わる前に時間切れとなったため、範囲はありません。',
  wallets_of_pro: '資金を保有するウォレットと資金の流れは、Proプラン以上で表示されます。',
};

/** Names the other side by its category. */
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
    '受取総額の{share}（{worth}）[、直近90日間では{recent_share}][、それ以前の保有額{held_usd}に対しては{held_share}]が、{party}[「{entities}」]から流入しています（最短{min_hops}ホップ、ラベルのないウォレットを経由した推定）。',
  lost: '{value}を失っています。送付総額の{share}が、{party}[「{entities}」]に到達しています（最短{min_hops}ホップ、ラベルのないウォレットを経由した推定）。',
  sent: '送付総額の{share}（{worth}）が、{party}[「{entities}」]に到達しています（最短{min_hops}ホップ、ラベルのないウォレットを経由した推定）。',
  receivedUnpriced:
    '価格が不明な資産の受取量の{share}（{amounts}）が、{party}[「{entities}」]から流入しています（最短{min_hops}ホップ、ラベルのないウォレットを経由した推定）。',
  sentUnpriced:
    '価格が不明な資産の送付量の{share}（{amounts}）が、{party}[「{entities}」]に到達しています（最短{min_hops}ホップ、ラベルのないウォレットを経由した推定）。',
};

/** Which Japanese word stands for which: docs/japanese-terms.md. */
export const detections: typeof en.detections = {
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
    'subject_category.frozen':
      '発行者によりトークンが凍結されています：{label}[、{listed_on}の同じ鍵]（出典：{source}）。凍結は当局や被害者の要請によるもので、報告であり証拠ではありません。',
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
    'sanctions_indirect.received_unpriced': INDIRECT.receivedUnpriced,
    'sanctions_indirect.sent_unpriced': INDIRECT.sentUnpriced,
    'sanctions_indirect.received_undated': `${INDIRECT.received}${UNDATED}`,
    'sanctions_indirect.sent_undated': `${INDIRECT.sent}${UNDATED}`,
    'sanctions_indirect.received_before': `${INDIRECT.received}${BEFORE}`,
    'sanctions_indirect.sent_before': `${INDIRECT.sent}${BEFORE}`,
    'sanctions_indirect.received_before_country': `${INDIRECT.received}${BEFORE_COUNTRY}`,
    'sanctions_indirect.sent_before_country': `${INDIRECT.sent}${BEFORE_COUNTRY}`,
    'co_spent_with_listed.joint':
      '{address}（{party}：{entities}）と同じ取引{transactions}件で{value}を支出しています。1件の取引の入力は、通常すべて同一の所有者によるものです。',
    'co_spent_with_listed.cluster':
      '{address}（{party}：{entities}）と、互いの共同支出を通じて同一の所有者とみられる{addresses}件のアドレスの1つです。1件の取引の入力は、通常すべて同一の所有者によるものです。',
    'co_spent_with_listed.payjoin':
      '{address}（{party}：{entities}）と同じ取引1件で{value}を支出しています。支払人と受取人が共同で支出するペイジョインの形をしています。',
    'co_spent_with_listed.strangers':
      '{address}（{party}：{entities}）と同じ取引{transactions}件で{value}を支出しています。形または署名から、売買の当事者、ミキシングの参加者、契約への共同出資者など、他人同士がともに署名した可能性があります。',
    accomplice:
      '{victims}者が{entities}に資金を失ったのと同じ取引、または同じウォレットから、{transfers}件・{value}（流入の{share}）を受け取っています。関与は推定であり、リストには掲載されていません。',
    'accomplice.ordered':
      '{entities}が署名した取引で、{transfers}件・{value}（流入の{share}）を受け取っています。[それ以前に、奪取者がその支払元に{deposited_usd}を預けています（{deposits}）。]関与は推定であり、リストには掲載されていません。',
    'accomplice.robbed':
      '{victims}者が共同で預けた資金の大半に当たる{value}（{transfers}件、流入の{share}）を、{entities}とともに取り出しています。関与は推定であり、リストには掲載されていません。',
    'accomplice.owned':
      '{entities}だけが署名するコントラクトとして{value}（{transfers}件、流入の{share}）を受け取っています。その所有は推定であり、リストには掲載されていません。',
    'accomplice.sold':
      '{entities}から受け取ったトークンを売却した取引で、{transfers}件・{value}（流入の{share}）を受け取っています。そのトークンの価格はほかに知られていません。関与は推定であり、リストには掲載されていません。',
    'accomplice.signed':
      '{victims}者が{entities}に{value}を失った{transfers}件の取引に署名しています。関与は推定であり、リストには掲載されていません。',
    'accomplice.fees':
      '{entities}からの{fed_usd}を主な資金とする{wallets}件のウォレットに、手数料用の最初のコイン{usd}を支払っています。関与は推定であり、リストには掲載されていません。',
    shared_layer:
      '{senders}者から資金を集めてほぼ残さず送り出し、流出の{share}（{usd}）が、{entities}も資金を送付している{wallets}件のウォレットに渡っています。同じ者のための集金であることは推定であり、リストには掲載されていません。',
    'indirect_exposure.received': INDIRECT.received,
    'indirect_exposure.sent': INDIRECT.sent,
    'indirect_exposure.received_unpriced': INDIRECT.receivedUnpriced,
    'indirect_exposure.sent_unpriced': INDIRECT.sentUnpriced,
    'indirect_exposure.lost': INDIRECT.lost,
    'beyond_reach.received':
      '流入の{share}（{worth}）は{hops}段階を経て、読み取った範囲より遠くから来ています。その大部分は、資金を受け渡すだけのウォレットの連鎖か、不正との報告があるアドレスを経由しています。出所は不明です。',
    'beyond_reach.sent':
      '流出の{share}（{worth}）は{hops}段階を経て、読み取った範囲より遠くへ渡っています。その大部分は、資金を受け渡すだけのウォレットの連鎖か、不正との報告があるアドレスを経由しています。行き先は不明です。',
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
    lost: `${party}「{entities}」に{value}を失っています（{transfers}件[、その前に面識のない送付元{collected_senders}件から受け取った資金で支払い、店の仕入れとも集金役の上納とも読めます]）。`,
    taken: `${party}「{entities}」に、承認または許可を通じて{value}を引き出されています（{transfers}件）。`,
    returned: `${party}「{entities}」に失った資金のうち{value}が戻っています（{transfers}件）。`,
    handed_back: `${party}「{entities}」から{value}を受け取り（{transfers}件）、全額を同じアドレスへ送り返しています。`,
    received,
    received_small: `${received}金額は少額です。`,
    received_dust: `${received}この相手方への送付はなく、一方的に送り付けられたダストとして扱っています。`,
    received_first: `${received}このアドレスが最初に受け取った資金です。`,
  });
}

const ROLES: Record<PartyRole, string> = {
  destination: '送付先',
  spender: '承認先',
  token: 'トークン',
  recipient: '受取先',
  owner: '資産の保有者',
  operator: '操作権限の付与先',
  controller: '新しい管理者',
  target: '呼び出されるコントラクト',
};

const FAULTS: Record<Parameters<PresignWords['undecodable']>[0], string> = {
  not_hex: 'コールデータが16進数ではありません',
  no_selector: 'コールデータが短く、呼び出しを特定できません',
  unknown_call: 'コールデータに未知の呼び出しが含まれています',
  too_deep: 'コールデータの呼び出しの入れ子が深すぎます',
  too_many: 'コールデータの呼び出しまたは項目が多すぎます',
  truncated: 'コールデータが引数の途中で終わっています',
  dirty: 'コールデータの引数に、ゼロであるべきビットが含まれています',
  overlong: 'コールデータが引数の後にも続いています',
  no_calldata_chain: 'このチェーンのコールデータは解読できません',
};

export const presign: PresignWords = {
  party: (role, call, address) => `${ROLES[role]}「${address}」${call === null ? '' : `（${call}）`}`,
  sanctioned: (who, label) => `${who}は制裁対象です：${named(label)}。`,
  delisted: (who, day, label) => `${who}はかつて制裁対象でしたが、${dayText(day)}に解除されています：${named(label)}。`,
  malicious: (who, label) => `${who}は悪意のあるコントラクトとして知られています：${named(label)}。`,
  labelled: (who, category, label) => `${who}は「${words(category)}」に分類されています：${named(label)}。`,
  sisterChain: (who, { category, chain }, label) =>
    `${who}と同じ鍵のアドレスが、${CHAINS[chain] ?? chain}で「${words(category)}」に分類されています：${named(label)}。`,
  scanned: (who, { level, score, day }) => {
    const scan = day === null ? '直近のスキャン' : `${dayText(day)}のスキャン`;
    if (level === 'UNKNOWN') return `${who}は、${scan}では情報が不足し、評価できていません。`;
    return `${who}は、${scan}で${level}（スコア${score}）と評価されています。`;
  },
  scannedInPart: (who) =>
    `${who}は、直近のスキャンでLOWと評価されていますが、取引履歴と資金の一部のみに基づく評価です。`,
  exposure: (who, { direction, usd, share, category, isBefore }) => {
    const amount = usd === null ? '価格不明の資産' : `${usd}米ドル相当`;
    const part = share === null ? '' : `（判明している${direction === 'in' ? '受取総額' : '送付総額'}の${share}%）`;
    const party = `「${words(category)}」に分類されたアドレス${isBefore ? '（指定前）' : ''}`;
    return direction === 'in'
      ? `${who}は、${party}から${amount}${part}を受け取っています。`
      : `${who}は、${party}へ${amount}${part}を送付しています。`;
  },
  poisoning: (who) =>
    `${who}は、以前の送付先に似せて誘導に使われたアドレスです。送付の前に、アドレス全体を確認してください。`,
  lookalike: ({ address, genuine, last, stands, expected }) => {
    const known =
      last === null
        ? '署名者自身のアドレス'
        : `署名者の以前の送付先（最終日：${dayText(last.day)}${last.txHash === null ? '' : `、トランザクション：${last.txHash}`}）`;
    return `「${address}」は、${known}である「${genuine}」に似た別のアドレスです（${expected}であるべき部分が${stands}です）。`;
  },
  longPermit: (call, at, { left, most }) =>
    `${call}（「${at}」）の有効期間は${left === null ? '無期限' : `${left}日`}で、${most}日を超えています。`,
  payableLure: (call, at) => `${call}()（「${at}」）は、対価を示さずに資産を受け取ります。よくある誘導の手口です。`,
  controlChange: (call, at, to) =>
    `${call}（「${at}」）は、コントラクトまたはそのコードの管理権限を「${to}」に与えます。`,
  unknownOwner: (call, owner) =>
    `${call}は「${owner}」の資産を移転します。署名者が指定されていないため、誰の資産かは確認できません。`,
  foreignTransfer: (call, owner, to) =>
    `${call}は、署名者ではない「${owner}」の資産を、情報のないアドレス「${to}」へ移転します。`,
  operatorApproval: (call, at, spender) =>
    `${call}（「${at}」）により、「${spender}」は現在および今後のコレクションの全トークンを移転できます。`,
  unlimitedApproval: (call, at, spender) =>
    `${call}（「${at}」）により、「${spender}」は現在および今後のトークンを無制限に引き出せます。`,
  undecodable: (fault, call) => `${FAULTS[fault]}${call === null ? '' : `（${call}）`}。`,
  unsupportedChain: (chain, isBnb) =>
    `チェーン${chain}には対応していないため、この取引の情報はありません${isBnb ? '（BNB Smart Chainはbscです）' : ''}。`,
  neverScanned: (to) => `スキャンの記録がありません：「${to}」にはラベルがありません。`,
  neverScannedUnpriced: (to) => `スキャンの記録がありません：「${to}」にはラベルがなく、送付額の価格も確認できません。`,
  trusted: (address) => `「${address}」はアカウントのホワイトリストにあるため、制裁以外の情報は除外されています。`,
  storesUnreadable: 'ラベルまたはグラフを読み取れないため、アドレスの確認は不完全です。',
  noLists: 'ラベルのリストが読み込まれていません。',
  noSanctions: '制裁リストが読み込まれていません。',
  listsStale: '制裁リストが更新間隔の2倍より古くなっています。',
};

const CHAINS: Record<string, string> = {
  evm: 'EVM',
  bitcoin_cash: 'Bitcoin Cash',
  bitcoin_sv: 'Bitcoin SV',
  ethereum_classic: 'Ethereum Classic',
};

function named({ name, source, confidence, listedOn }: NamedLabel): string {
  const where = !listedOn ? '' : `、同じ鍵の${listedOn}のアドレスとして掲載`;
  return `${JSON.stringify(name)}（出典：${JSON.stringify(source)}、信頼度：${confidence}${where}）`;
}

function words(category: string): string {
  return (codes as Record<string, string>)[category] ?? category;
}

function dayText(day: string): string {
  return forms.date(day);
}

export const summary: SummaryWords = {
  language: 'Japanese',
  space: '',
  rated: ({ chain, level, score }) => `${chain}上のアドレスのリスクレベルは${level}、スコアは100点中${score}点です。`,
  noDetection: '検知事項はありません。',
  detections: (count, named, more) => `検知事項は${count}件あります：${named}${more > 0 ? `、ほか${more}件` : ''}。`,
  money: ({ text }, received, sent) => `取引は${text}件です（受取：${received}／送付：${sent}）。`,
  nothing: 'なし',
  noParties: 'ラベルのある相手方はありません。',
  parties: (named) => `ラベルのある相手方：${named}。`,
};

export const tokenScreening: typeof en.tokenScreening = {
  known_malicious: '「{category}」に分類されています：{label}（出典：{source}）。',
  'known_malicious.reported': '「{category}」として報告されています：{label}（報告元：{source}）。',
  address_poisoning:
    '「{victim}」を誘導しようとするアドレスで、その実際の相手方「{genuine}」に似ています（先頭{prefix}文字と末尾{suffix}文字が一致、{kind}）。この期間に標的となった相手方は{victims}者です。',
  'address_poisoning.loss':
    '「{victim}」を誘導しようとするアドレスで、その実際の相手方「{genuine}」に似ています（先頭{prefix}文字と末尾{suffix}文字が一致、{kind}）。この期間に標的となった相手方は{victims}者で、このアドレスへの誤った送付が{losses}件あります。',
  relay_chain:
    '{usd}を受取の{minutes}後に送付し、ほとんど手元に残していません（送付した割合：{kept_share}）。「{from}」から「{to}」へ至る{hops}件の移転の連鎖に含まれます。',
  'relay_chain.median':
    '通常の{times_median}倍の額を受取の{minutes}後に送付し、ほとんど手元に残していません（送付した割合：{kept_share}）。「{from}」から「{to}」へ至る{hops}件の移転の連鎖に含まれます。',
  rapid_distribution: '{minutes}以内に、{receivers}件の送付先へ計{usd}を送付しています。',
  'rapid_distribution.median': '{minutes}以内に、{receivers}件の送付先へ通常の{times_median}倍の額を送付しています。',
  large_transfer: '期間内の上位1%に入る高額の移転が{count}件あり、最大額は{usd}です。',
  'large_transfer.median': '期間内の上位1%に入る高額の移転が{count}件あり、最大額は通常の{times_median}倍です。',
};

export const transaction: typeof en.transaction = {
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
