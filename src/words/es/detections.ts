import type { DetectionWords } from '../en/detections.ts';
import { variantsOf } from '../en/exposure-variants.ts';
import { detectors } from './codes.ts';

/** Who is on the other side, by category. */
const PARTIES = {
  sanctioned: 'una parte sancionada',
  terrorism: 'una parte listada por financiación del terrorismo',
  darknet: 'un mercado de la darknet',
  child_abuse: 'un vendedor de material de abuso infantil',
  drainer: 'un drenador de billeteras',
  theft: 'la billetera de un robo',
  ransomware: 'una banda de ransomware',
  scam: 'una estafa',
  mixer: 'un mezclador',
  high_risk_exchange: 'una plataforma de alto riesgo',
};

const UNDATED = 'La lista no indica el día de la designación.';
const BEFORE = 'Se movió antes de que la parte fuera sancionada[, el {designated_at}].';
const BEFORE_COUNTRY =
  'Se movió antes de que la parte fuera sancionada[, el {designated_at},] por un programa que nombra un país o un sector ({programmes}).';

/** The same text whoever stands at the end of the money. */
const INDIRECT = {
  received:
    'El {share} de lo recibido ({worth})[, {recent_share} de lo de sus últimos 90 días,] procede de {party}[ ({entities})], a {min_hops} saltos como mínimo; inferido a través de billeteras sin etiqueta.',
  lost: 'Perdió {value}: el {share} de lo enviado termina en {party}[ ({entities})], a {min_hops} saltos como mínimo; inferido a través de billeteras sin etiqueta.',
  sent: 'El {share} de lo enviado ({worth}) termina en {party}[ ({entities})], a {min_hops} saltos como mínimo; inferido a través de billeteras sin etiqueta.',
};

export const detections: DetectionWords = {
  report: '[ Solo {reported_by} informa de que la parte lo es, sin certeza.]',
  who: ' Con {parties}[ y {others} más].',
  nobody: 'tokens recién emitidos o destruidos',
  when: { day: ' Fecha: {from_at}.', span: ' Fechas: {from_at} a {to_at}.' },
  names: detectors,
  texts: {
    'sanctions_self.listed':
      'La dirección está sancionada: {label} (fuente: {source})[; figura en {listed_on}, con la misma clave].',
    'sanctions_self.reported':
      'Se ha informado de que la dirección está sancionada: {label} (según {source})[; figura en {listed_on}, con la misma clave].',
    'sanctions_self.delisted':
      'La dirección estuvo sancionada hasta {delisted_at} y se retiró de la lista: {label} (fuente: {source}).',
    'subject_category.listed':
      'La propia dirección figura como {category}: {label} (fuente: {source})[; figura en {listed_on}, con la misma clave].',
    'subject_category.reported':
      'Se ha informado de que la dirección es {category}: {label} (según {source})[; figura en {listed_on}, con la misma clave].',
    known_malicious: 'Se sabe que el contrato es malicioso: {label} (fuente: {source}).',
    'known_malicious.reported': 'Se ha informado de que el contrato es malicioso: {label} (según {source}).',
    ...exposureTexts('sanctions_direct', '', PARTIES.sanctioned),
    ...exposureTexts(
      'sanctions_direct',
      '_undated',
      'una parte sancionada (su lista no indica el día de la designación)',
    ),
    ...exposureTexts('sanctions_direct', '_before', 'una parte sancionada más tarde[ (el {designated_at})]'),
    ...exposureTexts(
      'sanctions_direct',
      '_before_country',
      'una parte sancionada más tarde[ (el {designated_at})] por un programa que nombra un país o un sector ({programmes})',
    ),
    'sanctions_indirect.received': INDIRECT.received,
    'sanctions_indirect.sent': INDIRECT.sent,
    'sanctions_indirect.received_undated': `${INDIRECT.received} ${UNDATED}`,
    'sanctions_indirect.sent_undated': `${INDIRECT.sent} ${UNDATED}`,
    'sanctions_indirect.received_before': `${INDIRECT.received} ${BEFORE}`,
    'sanctions_indirect.sent_before': `${INDIRECT.sent} ${BEFORE}`,
    'sanctions_indirect.received_before_country': `${INDIRECT.received} ${BEFORE_COUNTRY}`,
    'sanctions_indirect.sent_before_country': `${INDIRECT.sent} ${BEFORE_COUNTRY}`,
    'co_spent_with_listed.joint':
      'Gastó {value} en {transactions|transacción|transacciones} junto con {address}, {party} ({entities}): quien firma por una dirección de una transacción suele firmar por todas.',
    'co_spent_with_listed.payjoin':
      'Gastó {value} en una transacción junto con {address}, {party} ({entities}). Tiene la forma de un payjoin, en el que pagador y receptor gastan juntos.',
    accomplice:
      'Recibió {value} en {transfers|transferencia|transferencias}, {share} de lo recibido, en las mismas transacciones en las que {victims|parte perdió|partes perdieron} dinero a manos de {entities}. Su participación se infiere de ello; ninguna lista la nombra.',
    'accomplice.signed':
      'Firmó {transfers|transferencia|transferencias} por las que {victims|parte perdió|partes perdieron} {value} a manos de {entities}. Su participación se infiere de ello; ninguna lista la nombra.',
    shared_layer:
      '{senders|parte le pagó|partes le pagaron}, no conservó casi nada, y {usd}, {share} de lo enviado, fueron a {wallets|monedero|monederos} a los que también paga {entities}. Que ambos recauden para los mismos se infiere de ello; ninguna lista la nombra.',
    'indirect_exposure.received': INDIRECT.received,
    'indirect_exposure.sent': INDIRECT.sent,
    'indirect_exposure.lost': INDIRECT.lost,
    'beyond_reach.received':
      '{worth}, {share} de lo recibido, llegaron por {hops} pasos y desde más lejos de lo que se sigue, en su mayor parte por monederos que solo pasan dinero o por una dirección con informes adversos. Se desconoce su origen.',
    'beyond_reach.sent':
      '{worth}, {share} de lo enviado, fueron por {hops} pasos y más lejos de lo que se sigue, en su mayor parte por monederos que solo pasan dinero o por una dirección con informes adversos. Se desconoce su destino.',
    ...exposureTexts('terrorism_exposure', '', PARTIES.terrorism),
    ...exposureTexts('darknet_exposure', '', PARTIES.darknet),
    ...exposureTexts('child_abuse_exposure', '', PARTIES.child_abuse),
    ...exposureTexts('drainer_exposure', '', PARTIES.drainer),
    ...exposureTexts('theft_exposure', '', PARTIES.theft),
    ...exposureTexts('ransomware_exposure', '', PARTIES.ransomware),
    ...exposureTexts('scam_exposure', '', PARTIES.scam),
    ...exposureTexts('mixer_exposure', '', PARTIES.mixer),
    ...exposureTexts('high_risk_exchange_exposure', '', PARTIES.high_risk_exchange),
    'gambling_exposure.sent': 'El {share} de lo enviado ({worth}) fue a servicios de juegos de azar.',
    'gambling_exposure.received': 'El {share} de lo recibido ({worth}) vino de servicios de juegos de azar.',
    poisoning_loss:
      'Se perdieron {value} en {lookalike}, una dirección colocada porque se parece a una contraparte conocida.',
    address_poisoning:
      'Transferencias sin valor ({baits|vez|veces}; {kind}) colocan {lookalike}, que se parece a la contraparte conocida {genuine}: coinciden los {prefix} primeros y los {suffix} últimos caracteres. Compruebe la dirección completa antes de pagar.',
    'address_poisoning.bait':
      'La dirección pone cebos a {victims|parte|partes} con transferencias sin valor ({baits|vez|veces}; {kind}): se parece a {genuine}, a la que {victim} pagó; coinciden los {prefix} primeros y los {suffix} últimos caracteres.',
    'fan_in.kept': 'Recibió {value} de {senders} remitentes sin relación en {minutes}.',
    'fan_in.forwarded':
      'Recibió {value} de {senders} remitentes sin relación en {minutes}; el {forwarded_share} salió poco después.',
    rapid_distribution: 'Envió {value} a {receivers} destinatarios en {minutes}.',
    fan_out: 'Envió {value} a {receivers} destinatarios en {minutes}.',
    gather_scatter:
      'Reunió {value} de {senders} remitentes y envió el {passed_share} a otros {receivers} destinatarios en {minutes}.',
    'gather_scatter.around':
      'El dinero de varios remitentes ({usd}) salió hacia otros varios en {minutes}[; enviado desde aquí: {amounts}].',
    pass_through:
      'El {passed_share} de {value} recibidos en {episodes|pago|pagos} salió en {minutes} desde la recepción.',
    'pass_through.around':
      'En {minutes} entraron {usd} y salieron poco después de cada recepción[; enviado desde aquí: {amounts}].',
    'cycle.pair':
      'El dinero fue a una parte y volvió {round_trips} veces en {minutes} ({worth}, volvió el {returned_share}).',
    'cycle.ring':
      'El dinero enviado ({usd}) volvió por {addresses|dirección distinta|direcciones distintas} en {minutes}[; enviado desde aquí: {amounts}].',
    peel_chain:
      '{peels} pagos seguidos tomaron cada uno una pequeña parte de un saldo de {start_usd} ({worth} en total).',
    'peel_chain.chain':
      'El dinero ({usd}) pasó por {addresses|dirección más|direcciones más} una tras otra; cada una conservó la mayor parte y pagó una pequeña a otros[; enviado desde aquí: {amounts}].',
    scatter_gather:
      'Envió {usd} por {addresses} direcciones distintas, que los pasaron todas a un destinatario en {minutes}[; enviado desde aquí: {amounts}].',
    'scatter_gather.received':
      'Recibió {usd} que un remitente había repartido por {addresses} direcciones distintas en {minutes}.',
    relay_chain:
      'El dinero ({usd}) se reenvió {transfers} veces seguidas en {minutes}, cada vez casi entero[; enviado desde aquí: {amounts}].',
    'wash_trading.token':
      '{asset} fue y volvió con una misma parte ({round_trips} idas y vueltas, {worth}) y apenas cambió de manos[: neto {net_share}].',
    'wash_trading.nft': 'El artículo {token_id} de {asset} cambia de manos entre las mismas partes ({usd} pagados).',
    'structuring.sent':
      '{transfers} pagos justo por debajo de {limit} a un destinatario en {minutes} ({worth}); el azar no los explica.',
    'structuring.received':
      '{transfers} pagos justo por debajo de {limit} de un remitente en {minutes} ({worth}); el azar no los explica.',
    large_transfer: 'El mayor pago[ {direction}]: {value}[; {more|pago elevado más|pagos elevados más}].',
    'high_velocity.burst':
      'Hasta {transactions_day} transacciones al día y {transactions_hour} por hora, muy por encima de lo habitual en la dirección.',
    'high_velocity.large_payments': '{transfers} pagos elevados en {minutes} ({worth}).',
    dormant_reactivation: 'Tras {gap_days} días sin enviar nada, envió {value}[ en {minutes}].',
    new_address_large_inflow:
      'Una dirección nueva recibió {value} al comienzo ({payments|pago|pagos}[, en {minutes}]).',
    'cex_cash_out.plain': 'El {share} de lo enviado ({worth}) fue a plataformas de intercambio.',
    'cex_cash_out.tainted':
      'El {share} de lo enviado ({worth}) fue a plataformas de intercambio tras la entrada de dinero ilícito[ (el {tainted_share} de lo recibido)].',
    'chain_hopping.plain':
      'Envió {value} por {bridges} puentes en {hours} horas: {names}[; {crossings|cruce|cruces} con llegada conocida a {chains}: {arrivals}].',
    'chain_hopping.tainted':
      'Tras una entrada de origen ilícito, envió {value} por {bridges} puentes en {hours} horas: {names}[; {crossings|cruce|cruces} con llegada conocida a {chains}: {arrivals}].',
    high_fee_loss: '{conversions} cambios de activos perdieron {lost_usd} de {value} ({loss_share}).',
    privacy_asset: 'Cambió otros activos por {assets} ({worth}).',
    ml_anomaly:
      'El comportamiento es inusual (puntuación {score} de 1), sobre todo en: {features}. Inusual no significa ilícito.',
  },
  parties: PARTIES,
};

/** How exposure to one kind of party reads; `suffix` names its standing. */
function exposureTexts<Detector extends string, Suffix extends string>(
  detector: Detector,
  suffix: Suffix,
  party: string,
) {
  const received = `Recibió {value}[, el {share} de lo recibido,] en {transfers|transferencia|transferencias} de ${party}: {entities}[; con otros tipos de delito es el {together_share}].`;
  return variantsOf(detector, suffix, {
    sent: `Envió {value}[, el {flow_share} de lo enviado,] en {transfers|transferencia|transferencias} a ${party}: {entities}[; con otros tipos de delito es el {together_share}].`,
    claimed: `Un contrato de token dice que la dirección envió {amounts} en {transfers|transferencia|transferencias} a ${party}: {entities}. La dirección no lo pidió, y cualquiera puede escribir tal línea.`,
    lost: `Perdió {value} en {transfers|transferencia|transferencias}, que recibió ${party}: {entities}.`,
    taken: `Perdió {value} a manos de ${party}: {entities}. Se tomaron en {transfers|transferencia|transferencias} mediante una aprobación o un permiso.`,
    returned: `Recuperó {value} en {transfers|transferencia|transferencias} de ${party}: {entities}. Se le había quitado.`,
    handed_back: `Recibió {value} en {transfers|transferencia|transferencias} de ${party}: {entities}. Lo devolvió todo a la misma dirección.`,
    received,
    received_small: `${received} El importe es pequeño.`,
    received_dust: `${received} Nunca se le envió nada, así que cuenta como polvo no solicitado.`,
    received_first: `${received} Son las primeras monedas de la dirección.`,
  });
}
