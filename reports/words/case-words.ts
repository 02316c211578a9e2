import type { AddressType } from '../../src/chains/port.ts';
import type {
  CasePriority,
  CaseRole,
  CaseStatus,
  Disposition,
  MATCH_DECISIONS,
  NoteType,
} from '../../src/domain/case.ts';
import type { ReportLanguage } from './words.ts';

/** The closed lists of cases and scans, as a reader of the language knows them. */
export interface CaseWords {
  statuses: Record<CaseStatus, string>;
  priorities: Record<CasePriority, string>;
  roles: Record<CaseRole, string>;
  noteTypes: Record<NoteType, string>;
  dispositions: Record<Disposition, string>;
  addressTypes: Record<AddressType, string>;
  /** Of score terms. */
  families: Record<string, string>;
  /** What the service itself writes into a timeline. */
  system: string;
  statusChanged: string;
  reportDownloaded: string;
  packageGenerated: string;
  /** A likely match of a bridge, by what an analyst decided of it. */
  matchDecided: Record<(typeof MATCH_DECISIONS)[number], string>;
}

export const CASE_WORDS: Record<ReportLanguage, CaseWords> = {
  en: {
    statuses: { open: 'open', in_review: 'in review', escalated: 'escalated', closed: 'closed', archived: 'archived' },
    priorities: { low: 'low', medium: 'medium', high: 'high', critical: 'critical' },
    roles: {
      subject: 'subject',
      counterparty: 'counterparty',
      victim: 'victim',
      intermediary: 'intermediary',
      service: 'service',
      other: 'other',
    },
    noteTypes: { comment: 'comment', finding: 'finding', decision: 'decision', evidence: 'evidence' },
    dispositions: { dismissed: 'dismissed', escalated: 'escalated', reported: 'reported' },
    addressTypes: {
      wallet: 'wallet',
      contract: 'contract',
      multisig: 'multi-signature wallet',
      token_account: 'token account',
      program: 'program',
      unknown: 'unknown',
    },
    families: {
      sanctions: 'sanctions',
      illicit_exposure: 'illicit exposure',
      indirect_exposure: 'indirect exposure',
      poisoning_contract: 'poisoning, contracts',
      structural: 'structure',
      behaviour: 'behaviour',
      cash_out: 'cash-out',
      gambling_privacy: 'gambling, privacy',
      anomaly: 'anomaly',
      floor: 'floor',
      ceiling: 'ceiling',
    },
    system: 'system',
    statusChanged: 'Status changed from {from} to {to}',
    reportDownloaded: 'Report downloaded as PDF',
    packageGenerated: 'Report package generated: {id}',
    matchDecided: {
      confirmed: 'Confirmed as one transfer over a bridge: {from} {tx_out} and {to} {tx_in}. Reason: {reason}',
      rejected: 'Judged not to be one transfer over a bridge: {from} {tx_out} and {to} {tx_in}. Reason: {reason}',
      withdrawn:
        'Decision withdrawn on whether these are one transfer over a bridge: {from} {tx_out} and {to} {tx_in}. Reason: {reason}',
    },
  },
  es: {
    statuses: {
      open: 'abierto',
      in_review: 'en revisión',
      escalated: 'escalado',
      closed: 'cerrado',
      archived: 'archivado',
    },
    priorities: { low: 'baja', medium: 'media', high: 'alta', critical: 'crítica' },
    roles: {
      subject: 'sujeto',
      counterparty: 'contraparte',
      victim: 'víctima',
      intermediary: 'intermediario',
      service: 'servicio',
      other: 'otro',
    },
    noteTypes: { comment: 'comentario', finding: 'hallazgo', decision: 'decisión', evidence: 'prueba' },
    dispositions: { dismissed: 'descartado', escalated: 'escalado', reported: 'comunicado' },
    addressTypes: {
      wallet: 'billetera',
      contract: 'contrato',
      multisig: 'billetera multifirma',
      token_account: 'cuenta de tokens',
      program: 'programa',
      unknown: 'desconocido',
    },
    families: {
      sanctions: 'sanciones',
      illicit_exposure: 'exposición ilícita',
      indirect_exposure: 'exposición indirecta',
      poisoning_contract: 'envenenamiento, contratos',
      structural: 'estructura',
      behaviour: 'comportamiento',
      cash_out: 'salida a plataformas',
      gambling_privacy: 'juegos de azar, privacidad',
      anomaly: 'anomalía',
      floor: 'mínimo',
      ceiling: 'máximo',
    },
    system: 'sistema',
    statusChanged: 'El estado pasó de {from} a {to}',
    reportDownloaded: 'Informe descargado en PDF',
    packageGenerated: 'Paquete de informes generado: {id}',
    matchDecided: {
      confirmed:
        'Confirmado que son una sola transferencia por un puente: {from} {tx_out} y {to} {tx_in}. Motivo: {reason}',
      rejected:
        'Rechazado que sean una sola transferencia por un puente: {from} {tx_out} y {to} {tx_in}. Motivo: {reason}',
      withdrawn:
        'Retirada la decisión sobre si son una sola transferencia por un puente: {from} {tx_out} y {to} {tx_in}. Motivo: {reason}',
    },
  },
  ja: {
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
  },
};
