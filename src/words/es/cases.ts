import type { CaseWords } from '../en/cases.ts';

export const cases: CaseWords = {
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
  dispositions: { confirmed: 'confirmado', dismissed: 'descartado', escalated: 'escalado', reported: 'comunicado' },
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
  events: {
    packageDownloaded: 'Paquete descargado: {file} de {id}',
    requestDownloaded: 'Solicitud de inmovilización descargada: {service} ({reference})',
    addressAdded: 'Dirección añadida: {chain} {address}',
    addressesAdded: '{count} direcciones añadidas',
    addressRemoved: 'Dirección retirada: {chain} {address}',
    scanStarted: 'Análisis iniciado: {count} direcciones',
    judged: '{detector} de {chain} {address}, juzgado: {disposition}',
    noteDeleted: 'Nota eliminada por {by}',
  },
  matchDecided: {
    confirmed:
      'Confirmado que son una sola transferencia por un puente: {from} {tx_out} y {to} {tx_in}. Motivo: {reason}',
    rejected:
      'Rechazado que sean una sola transferencia por un puente: {from} {tx_out} y {to} {tx_in}. Motivo: {reason}',
    withdrawn:
      'Retirada la decisión sobre si son una sola transferencia por un puente: {from} {tx_out} y {to} {tx_in}. Motivo: {reason}',
  },
};
