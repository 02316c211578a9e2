import type { Wording } from './wording.ts';

/** Spanish, for reports. */
export const TEXTS_ES: Wording = {
  names: {
    sanctions_self: 'Dirección sancionada',
    subject_category: 'Dirección ilícita conocida',
    known_malicious: 'Contrato malicioso conocido',
    sanctions_direct: 'Exposición directa a sanciones',
    sanctions_indirect: 'Exposición indirecta a sanciones',
    darknet_exposure: 'Exposición a mercados de la darknet',
    drainer_exposure: 'Exposición a drenadores de billeteras',
    scam_exposure: 'Exposición a estafas',
    mixer_exposure: 'Exposición a mezcladores',
    theft_exposure: 'Exposición a robos',
    ransomware_exposure: 'Exposición a ransomware',
    terrorism_exposure: 'Exposición a la financiación del terrorismo',
    child_abuse_exposure: 'Exposición a material de abuso infantil',
    high_risk_exchange_exposure: 'Exposición a plataformas de alto riesgo',
    indirect_exposure: 'Exposición ilícita indirecta',
    poisoning_loss: 'Pago a una dirección parecida',
    address_poisoning: 'Envenenamiento de direcciones',
    fan_in: 'Recepción desde muchos remitentes',
    rapid_distribution: 'Distribución rápida',
    fan_out: 'Distribución a muchos destinatarios',
    gather_scatter: 'Concentración y dispersión',
    pass_through: 'Dinero en tránsito',
    cycle: 'Idas y vueltas',
    peel_chain: 'Cadena de pelado',
    scatter_gather: 'Dispersión y concentración',
    relay_chain: 'Cadena de reenvíos',
    wash_trading: 'Operaciones ficticias',
    structuring: 'Importes fraccionados',
    large_transfer: 'Transferencia elevada',
    high_velocity: 'Actividad inusualmente rápida',
    dormant_reactivation: 'Reactivación tras inactividad',
    new_address_large_inflow: 'Entrada elevada en una dirección nueva',
    cex_cash_out: 'Salida por plataformas de intercambio',
    chain_hopping: 'Uso de varios puentes',
    high_fee_loss: 'Conversiones repetidas con pérdida',
    privacy_asset: 'Conversión a un activo de privacidad',
    gambling_exposure: 'Exposición a juegos de azar',
    ml_anomaly: 'Comportamiento inusual',
  },
  texts: {
    'sanctions_self.listed': 'La dirección está sancionada: {label} (fuente: {source}).',
    'sanctions_self.reported': 'Se ha informado de que la dirección está sancionada: {label} (según {source}).',
    'sanctions_self.delisted':
      'La dirección estuvo sancionada hasta {delisted_at} y se retiró de la lista: {label} (fuente: {source}).',
    'subject_category.listed': 'La propia dirección figura como {category}: {label} (fuente: {source}).',
    'subject_category.reported': 'Se ha informado de que la dirección es {category}: {label} (según {source}).',
    known_malicious: 'Se sabe que el contrato es malicioso: {label} (fuente: {source}).',
    ...exposureTexts('sanctions_direct', '', 'una parte sancionada'),
    ...exposureTexts(
      'sanctions_direct',
      '_undated',
      'una parte sancionada (su lista no indica el día de la designación)',
    ),
    ...exposureTexts('sanctions_direct', '_before', 'una parte sancionada más tarde'),
    'sanctions_indirect.received':
      'El {share} de lo recibido ({usd}) procede de partes sancionadas, la más cercana a {min_hops} saltos; inferido a través de billeteras sin etiqueta.',
    'sanctions_indirect.sent':
      'El {share} de lo enviado ({usd}) termina en partes sancionadas, la más cercana a {min_hops} saltos; inferido a través de billeteras sin etiqueta.',
    'indirect_exposure.received':
      'El {share} de lo recibido ({usd}) procede de direcciones que figuran como {category}, la más cercana a {min_hops} saltos; inferido a través de billeteras sin etiqueta.',
    'indirect_exposure.sent':
      'El {share} de lo enviado ({usd}) termina en direcciones que figuran como {category}, la más cercana a {min_hops} saltos; inferido a través de billeteras sin etiqueta.',
    ...exposureTexts('terrorism_exposure', '', 'una parte listada por financiación del terrorismo'),
    ...exposureTexts('darknet_exposure', '', 'un mercado de la darknet'),
    ...exposureTexts('child_abuse_exposure', '', 'un vendedor de material de abuso infantil'),
    ...exposureTexts('drainer_exposure', '', 'un drenador de billeteras'),
    ...exposureTexts('theft_exposure', '', 'un ladrón'),
    ...exposureTexts('ransomware_exposure', '', 'una banda de ransomware'),
    ...exposureTexts('scam_exposure', '', 'una estafa'),
    ...exposureTexts('mixer_exposure', '', 'un mezclador'),
    ...exposureTexts('high_risk_exchange_exposure', '', 'una plataforma de alto riesgo'),
    'gambling_exposure.sent': 'El {share} de lo enviado ({usd}) fue a servicios de juegos de azar.',
    'gambling_exposure.received': 'El {share} de lo recibido ({usd}) vino de servicios de juegos de azar.',
    poisoning_loss:
      'Se perdieron {value} en {lookalike}, una dirección colocada porque se parece a una contraparte conocida.',
    address_poisoning:
      'Transferencias sin valor ({baits|vez|veces}; {kind}) colocan {lookalike}, que se parece a la contraparte conocida {genuine}: coinciden los {prefix} primeros y los {suffix} últimos caracteres. Compruebe la dirección completa antes de pagar.',
    'address_poisoning.bait':
      'La dirección pone cebos a {victims|parte|partes} con transferencias sin valor ({baits|vez|veces}; {kind}): se parece a {genuine}, a la que {victim} pagó; coinciden los {prefix} primeros y los {suffix} últimos caracteres.',
    'fan_in.kept': 'Recibió {usd} de {senders} remitentes sin relación en {minutes}.',
    'fan_in.forwarded':
      'Recibió {usd} de {senders} remitentes sin relación en {minutes}; el {forwarded_share} salió poco después.',
    rapid_distribution: 'Envió {usd} a {receivers} destinatarios en {minutes}.',
    fan_out: 'Envió {usd} a {receivers} destinatarios en {minutes}.',
    gather_scatter:
      'Reunió {usd} de {senders} remitentes y envió el {passed_share} a otros {receivers} destinatarios en {minutes}.',
    'gather_scatter.around': 'El dinero de varios remitentes ({usd}) salió hacia otros varios en {minutes}.',
    pass_through:
      'El {passed_share} de {usd} recibidos en {episodes|pago|pagos} salió en {minutes} desde la recepción.',
    'pass_through.around': 'En {minutes} entraron {usd} y salieron poco después de cada recepción.',
    'cycle.pair':
      'El dinero fue a una parte y volvió {round_trips} veces en {minutes} ({usd}, volvió el {returned_share}).',
    'cycle.ring': 'El dinero enviado volvió por {addresses|otra dirección|otras direcciones} en {minutes} ({usd}).',
    peel_chain:
      '{peels} pagos seguidos tomaron cada uno una pequeña parte de un saldo de {start_usd} ({usd} en total).',
    'peel_chain.chain':
      'El dinero ({usd}) pasó por {addresses|otra dirección|otras direcciones} seguidas; cada una conservó la mayor parte y pagó una pequeña a otros.',
    scatter_gather:
      'Envió {usd} por {addresses} direcciones distintas, que los pasaron todas a un destinatario en {minutes}.',
    'scatter_gather.received':
      'Recibió {usd} que un remitente había repartido por {addresses} direcciones distintas en {minutes}.',
    relay_chain: 'El dinero ({usd}) se reenvió {transfers} veces seguidas en {minutes}, cada vez casi entero.',
    'wash_trading.token':
      '{asset} fue y volvió con una misma parte ({round_trips} idas y vueltas, {usd}) y apenas cambió de manos[: neto {net_share}].',
    'wash_trading.nft': 'El artículo {token_id} de {asset} cambia de manos entre las mismas partes ({usd} pagados).',
    'structuring.sent':
      '{transfers} pagos justo por debajo de {limit} a un destinatario en {minutes} ({usd}); el azar no los explica.',
    'structuring.received':
      '{transfers} pagos justo por debajo de {limit} de un remitente en {minutes} ({usd}); el azar no los explica.',
    large_transfer: '{transfers|transferencia elevada|transferencias elevadas}, la mayor de {largest_usd}.',
    'high_velocity.burst':
      'Hasta {transactions_day} transacciones al día y {transactions_hour} por hora, muy por encima de lo habitual en la dirección.',
    'high_velocity.large_payments': '{transfers} pagos elevados en {minutes} ({usd}).',
    dormant_reactivation: 'Tras {gap_days} días sin enviar nada, salieron {usd} en una semana.',
    new_address_large_inflow:
      'Una dirección nueva recibió {usd} en {payments|primer pago|primeros pagos}[, en {minutes}].',
    'cex_cash_out.plain': 'El {share} de lo enviado ({usd}) fue a plataformas de intercambio.',
    'cex_cash_out.tainted':
      'El {share} de lo enviado ({usd}) fue a plataformas de intercambio tras la entrada de dinero ilícito[ (el {tainted_share} de lo recibido)].',
    'chain_hopping.plain': 'Envió {usd} por {bridges} puentes en {hours} horas: {names}.',
    'chain_hopping.tainted':
      'Tras una entrada de origen ilícito, envió {usd} por {bridges} puentes en {hours} horas: {names}.',
    high_fee_loss: '{conversions} cambios de activos perdieron {lost_usd} de {usd} ({loss_share}).',
    privacy_asset: 'Cambió otros activos por {assets} ({usd}).',
    ml_anomaly:
      'El comportamiento es inusual (puntuación {score} de 1), sobre todo en: {features}. Inusual no significa ilícito.',
  },
  words: {
    sanctioned: 'sancionada',
    darknet: 'mercado de la darknet',
    drainer: 'drenador de billeteras',
    scam: 'estafa',
    theft: 'robo',
    ransomware: 'ransomware',
    terrorism: 'financiación del terrorismo',
    child_abuse: 'material de abuso infantil',
    high_risk_exchange: 'plataforma de alto riesgo',
    service: 'servicio',
    mixer: 'mezclador',
    gambling: 'juegos de azar',
    bridge: 'puente',
    exchange: 'plataforma de intercambio',
    dex: 'plataforma descentralizada',
    dex_router: 'enrutador de plataforma descentralizada',
    other: 'otra',
    unknown: 'desconocida',
    zero_value: 'sin valor',
    tiny: 'importes ínfimos',
    dust_native: 'polvo',
    counterfeit: 'token falso',
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
  },
  unpriced: 'un importe de precio desconocido',
  usd: (amount) => `${amount} USD`,
  worthUsd: (amount) => `${amount} USD`,
  yen: (amount) => `${amount} JPY`,
  minutes: (count) => `${count} ${count === 1 ? 'minuto' : 'minutos'}`,
  hours: (count) => `${count} horas`,
  days: (count) => `${count} días`,
  withAmounts: (value, amounts) => `${value} (${amounts})`,
  date: (iso) => iso,
  lessThan: (share) => `menos del ${share}`,
  listSeparator: ', ',
};

/** How exposure to one kind of party reads; `suffix` names its standing. */
function exposureTexts(detector: string, suffix: string, party: string): Record<string, string> {
  const received = `Recibió {value}[, el {share} de lo recibido,] en {transfers|transferencia|transferencias} de ${party}: {entities}.`;
  const texts = {
    sent: `Envió {value}[, el {share} de lo enviado,] en {transfers|transferencia|transferencias} a ${party}: {entities}.`,
    lost: `Perdió {value} en {transfers|transferencia|transferencias} a manos de ${party}: {entities}.`,
    taken: `Perdió {value} a manos de ${party}, que los tomó en {transfers|transferencia|transferencias} mediante una aprobación o un permiso: {entities}.`,
    received,
    received_small: `${received} El importe es pequeño.`,
    received_dust: `${received} Nunca se envió nada allí: tan poco se toma por polvo no solicitado.`,
    received_first: `${received} Son las primeras monedas de la dirección.`,
  };
  return Object.fromEntries(Object.entries(texts).map(([variant, text]) => [`${detector}.${variant}${suffix}`, text]));
}
