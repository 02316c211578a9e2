import type { BridgeMatchesWords } from '../../en/console/bridge-matches.ts';

export const bridgeMatches: BridgeMatchesWords = {
  decide: '推定される着金を判断',
  change: '判断を変更',
  arrival: '推定される着金',
  reason: '理由（必須）',
  confirmed: '確認済みにする',
  rejected: '否認する',
  withdrawn: '取り消す',
  done: {
    confirmed: '確認済みにしました。次回以降の回答では、この着金先へ資産の流れを追います。',
    rejected: '否認しました。次回以降の回答では、資産の流れはブリッジで終わります。',
    withdrawn: '取り消しました。次回以降の回答では、推定として表示されます。',
  },
};
