import type { CaseWords } from '../en/cases.ts';

export const cases: CaseWords = {
  statuses: {
    open: '対応中',
    in_review: '確認中',
    escalated: '上申済み',
    closed: '終了',
    archived: '保管済み',
  },
  priorities: { low: '低', medium: '中', high: '高', critical: '最優先' },
  roles: {
    subject: '調査対象',
    counterparty: '相手方',
    victim: '被害者',
    intermediary: '中継者',
    service: 'サービス',
    other: 'その他',
  },
  noteTypes: { comment: 'コメント', finding: '判明事項', decision: '決定', evidence: '証拠' },
  dispositions: { dismissed: '問題なし', escalated: '上申', reported: '届出済み' },
  addressTypes: {
    wallet: 'ウォレット',
    contract: 'コントラクト',
    multisig: 'マルチシグウォレット',
    token_account: 'トークンアカウント',
    program: 'プログラム',
    unknown: '不明',
  },
  families: {
    sanctions: '制裁',
    illicit_exposure: '不正な相手方とのつながり',
    indirect_exposure: '間接的なつながり',
    poisoning_contract: 'アドレスポイズニング、コントラクト',
    structural: '資金移動の構造',
    behaviour: '挙動',
    cash_out: '換金先への移転',
    gambling_privacy: 'ギャンブル、匿名性',
    anomaly: '異常値',
    floor: '下限',
    ceiling: '上限',
  },
  system: 'システム',
  statusChanged: '状態を「{from}」から「{to}」に変更',
  reportDownloaded: 'レポートをPDFでダウンロード',
  packageGenerated: '届出資料パッケージを作成：{id}',
  matchDecided: {
    confirmed: 'ブリッジによる同一の移転であると確認：{from}の取引 {tx_out} と{to}の取引 {tx_in}。理由：{reason}',
    rejected: 'ブリッジによる同一の移転ではないと判断：{from}の取引 {tx_out} と{to}の取引 {tx_in}。理由：{reason}',
    withdrawn:
      'ブリッジによる同一の移転かどうかの判断を取り消し：{from}の取引 {tx_out} と{to}の取引 {tx_in}。理由：{reason}',
  },
};
