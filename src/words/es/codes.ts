import type { CategoryWords, CodeWords } from '../en/codes.ts';

export const categories: CategoryWords = {
  sanctioned: 'sancionada',
  darknet: 'mercado de la darknet',
  drainer: 'drenador de billeteras',
  scam: 'estafa',
  theft: 'robo',
  ransomware: 'ransomware',
  terrorism: 'financiación del terrorismo',
  child_abuse: 'material de abuso infantil',
  mixer: 'mezclador',
  high_risk_exchange: 'plataforma de alto riesgo',
  gambling: 'juegos de azar',
  bridge: 'puente',
  exchange: 'plataforma de intercambio',
  dex: 'plataforma descentralizada',
  dex_router: 'enrutador de plataforma descentralizada',
  service: 'servicio',
  other: 'otra',
  unknown: 'desconocida',
};

export const codes: CodeWords = {
  received: 'recibido',
  sent: 'enviado',
  ...categories,
  // Kinds of worthless transfers.
  zero_value: 'sin valor',
  tiny: 'importes ínfimos',
  dust_native: 'polvo',
  counterfeit: 'token falso',
  // Features of behaviour.
  log_transactions_per_day: 'transacciones por día',
  log_received_usd_per_day: 'importe recibido por día',
  log_sent_usd_per_day: 'importe enviado por día',
  sent_received_ratio: 'relación entre lo enviado y lo recibido',
  counterparties_per_transaction: 'contrapartes por transacción',
  median_hold_hours: 'tiempo de tenencia',
  passed_share_24h: 'parte reenviada en un día',
  round_amount_share: 'parte de importes redondos',
  burstiness: 'ráfagas de actividad',
  one_time_counterparty_share: 'parte de contrapartes de una sola vez',
  stablecoin_share: 'parte de monedas estables',
  hour_entropy: 'dispersión por horas del día',
};
