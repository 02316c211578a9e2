import type { FundsWords } from '../en/funds.ts';

export const funds: FundsWords = {
  not_read:
    'グラフにはこのアドレスのこの方向の移転がありません。スキャン（GET /public/scan）または資金追跡（POST /graph/trace）を行ってから、再度実行してください。',
  no_subject: 'この案件には役割が `subject` のアドレスがありません。資金を追跡するアドレスにこの役割を付けてください。',
  ends_at:
    '資金の追跡は、ラベルリストに記載のある{parties}で終わっています。その先も追跡するには、役割を「{role}」として案件に追加してください。対象のアドレスはすべて一つの当事者として扱います。',
  subjects_unread: '{count}件のアドレスはまだ読み取られていません。これらは他で確認された移転のみが集計されています。',
  subjects_max: '対象{count}件のうち、最初の{most}件を追跡しています。',
  exchanged: '自らの1つの取引内での交換は、受取にも送金にも数えません。{usd} USD は合計に含まれません。',
  uncovered: '送金のうち {usd} USD は、把握している入金では説明できません。',
  flows_max: '資金の流れ{count}件のうち、大きい順に{shown}件を表示しています。',
  wallets_of_pro: '資金を保有するウォレットと資金の流れは、Proプラン以上で表示されます。',
};
