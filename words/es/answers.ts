import type * as en from '../en/answers.ts';
import type { NamedLabel, PartyRole, PresignWords, SummaryWords } from '../en/answers.ts';
import { variantsOf } from '../en/forms.ts';
import { codes, detectors } from './codes.ts';
import { forms } from './forms.ts';

export const exposure: typeof en.exposure = {
  out_of_time: 'La búsqueda agotó su tiempo antes de hallar algo. Repítala, o con menos saltos.',
  no_transfers: 'El grafo no contiene transferencias de esta dirección.',
  not_scanned: 'Aún no ha analizado esta dirección: solo cuentan las transferencias vistas en otros análisis.',
  not_scanned_of:
    'Aún no ha analizado {unread} de sus {all} direcciones: de ellas solo cuentan las transferencias vistas en otros análisis.',
  hop_limit: 'No se siguieron {usd} USD más allá del salto {hops} (max_hops).',
  relays:
    'Las billeteras con una sola entrada y una sola salida no cuentan como salto, hasta {steps} pasos por camino.',
  likely: 'Se siguieron {usd} USD por puentes cuyo otro lado es solo probable (likely_matches=follow).',
  open: 'Se siguieron {usd} USD por puentes según declaraciones que cualquiera puede hacer (bridge_open).',
};

export const funds: typeof en.funds = {
  not_read:
    'El grafo no conoce transferencias de esta dirección en este sentido. Analícela (GET /public/scan) o haga seguir su dinero (POST /graph/trace) y pregunte de nuevo.',
  no_subject: 'Ninguna dirección del caso tiene el papel `subject`. Asígnelo a aquellas cuyo dinero se debe seguir.',
  ends_at:
    'El dinero no se siguió más allá de {parties}, según las listas de etiquetas. Para seguirlo, añádalas al caso con el papel «{role}»: todos los sujetos son una sola parte.',
  subjects_unread:
    'Aún no ha leído {count} de las direcciones: de ellas solo cuentan transferencias vistas en otra parte.',
  members_max:
    'De {count} direcciones de los sujetos y sus titulares se siguen {followed}: lo que estas pagaron a las demás queda fuera, y no se sabe adónde lo enviaron las demás.',
  subjects_max: 'De {count} sujetos se siguen los primeros {most}.',
  exchanged:
    'Sus propios intercambios dentro de una transacción no cuentan ni como recibido ni como enviado: {usd} USD quedan fuera del total.',
  uncovered: 'De lo enviado, {usd} USD no se explica con lo que se sabe que entró.',
  flows_max: 'De {count} flujos se muestran los {shown} mayores.',
  methods: {
    fifo: 'El dinero mezclado se atribuye por orden de entrada: cada pago sale del ingreso más antiguo de la billetera.',
    lifo: 'El dinero mezclado se atribuye en orden inverso de entrada: cada pago sale del ingreso más reciente de la billetera.',
    lowest_balance:
      'El dinero mezclado se atribuye por el saldo más bajo: el dinero seguido es el último que gasta una billetera, de modo que no queda más de él que el saldo más bajo desde que llegó.',
    poison:
      'Las filas con `reached` están tocadas por el dinero: se mezcló con lo que llegó allí, y de eso no se deduce ningún importe. Los importes de las demás son a prorrata.',
  },
  no_row_depends:
    'Ninguna fila depende de la regla con que se atribuye el dinero mezclado: a prorrata, por orden de entrada, en orden inverso y por el saldo más bajo resulta lo mismo.',
  rows_depend:
    '{same} de {rows} filas, el {share} del dinero, no dependen de la regla con que se atribuye el dinero mezclado; de las demás se indican el importe mínimo y el máximo.',
  range_late: 'El tiempo se agotó antes de atribuir el dinero por todas las reglas: no se indica ningún margen.',
  wallets_of_pro: 'Las billeteras que guardan el dinero, y sus flujos, se muestran a partir del plan Pro.',
};

/** Names the other side by its category. */
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
    'El {share} de lo recibido ({worth})[, {recent_share} de lo de sus últimos 90 días,][, {held_share} de los {held_usd} que tenía antes,] procede de {party}[ ({entities})], a {min_hops} saltos como mínimo; inferido a través de billeteras sin etiqueta.',
  lost: 'Perdió {value}: el {share} de lo enviado termina en {party}[ ({entities})], a {min_hops} saltos como mínimo; inferido a través de billeteras sin etiqueta.',
  sent: 'El {share} de lo enviado ({worth}) termina en {party}[ ({entities})], a {min_hops} saltos como mínimo; inferido a través de billeteras sin etiqueta.',
  receivedUnpriced:
    'De un activo sin precio, {share} de todo lo recibido ({amounts}) proviene de {party}[ ({entities})], a {min_hops} saltos como mínimo; inferido a través de billeteras sin etiqueta.',
  sentUnpriced:
    'De un activo sin precio, {share} de todo lo enviado ({amounts}) termina en {party}[ ({entities})], a {min_hops} saltos como mínimo; inferido a través de billeteras sin etiqueta.',
};

export const detections: typeof en.detections = {
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
    'subject_category.frozen':
      'Un emisor bloqueó la dirección: {label} (según {source})[; en {listed_on}, con la misma clave]. Los emisores bloquean a petición de autoridades y de víctimas: es un aviso, no una prueba.',
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
    'sanctions_indirect.received_unpriced': INDIRECT.receivedUnpriced,
    'sanctions_indirect.sent_unpriced': INDIRECT.sentUnpriced,
    'sanctions_indirect.received_undated': `${INDIRECT.received} ${UNDATED}`,
    'sanctions_indirect.sent_undated': `${INDIRECT.sent} ${UNDATED}`,
    'sanctions_indirect.received_before': `${INDIRECT.received} ${BEFORE}`,
    'sanctions_indirect.sent_before': `${INDIRECT.sent} ${BEFORE}`,
    'sanctions_indirect.received_before_country': `${INDIRECT.received} ${BEFORE_COUNTRY}`,
    'sanctions_indirect.sent_before_country': `${INDIRECT.sent} ${BEFORE_COUNTRY}`,
    'co_spent_with_listed.joint':
      'Gastó {value} en {transactions|transacción|transacciones} junto con {address}, {party} ({entities}): quien firma por una dirección de una transacción suele firmar por todas.',
    'co_spent_with_listed.cluster':
      'Una de {addresses|dirección|direcciones} que pagan juntas, unas por medio de otras, con {address}, {party} ({entities}): quien firma por una dirección de una transacción suele firmar por todas.',
    'co_spent_with_listed.payjoin':
      'Gastó {value} en una transacción junto con {address}, {party} ({entities}). Tiene la forma de un payjoin, en el que pagador y receptor gastan juntos.',
    'co_spent_with_listed.strangers':
      'Gastó {value} en {transactions|transacción|transacciones} junto con {address}, {party} ({entities}). Por la forma o las firmas, pueden haber firmado juntos desconocidos: comprador y vendedor, quienes mezclan o quienes aportan a un contrato.',
    accomplice:
      'Recibió {value} en {transfers|transferencia|transferencias}, {share} de lo recibido, en las mismas transacciones, o de las mismas billeteras, en las que {victims|parte perdió|partes perdieron} dinero a manos de {entities}. Su participación se infiere de ello; ninguna lista la nombra.',
    'accomplice.ordered':
      'Recibió {value} en {transfers|transferencia|transferencias}, {share} de lo recibido, en transacciones firmadas por {entities}[; antes, quienes toman fondos habían depositado {deposited_usd} en quien le pagó ({deposits})]. Su participación se infiere de ello; ninguna lista la nombra.',
    'accomplice.robbed':
      'Tomó {value} en {transfers|transferencia|transferencias}, {share} de lo recibido, de lo que {victims|parte había|partes habían} reunido, la mayor parte de lo que allí había, junto con {entities}. Su participación se infiere de ello; ninguna lista la nombra.',
    'accomplice.owned':
      'Recibió {value} en {transfers|transferencia|transferencias}, {share} de lo recibido, como contrato cuyas llamadas son solo de {entities}. Que es suyo se infiere de ello; ninguna lista lo nombra.',
    'accomplice.sold':
      'Recibió {value} en {transfers|transferencia|transferencias}, {share} de lo recibido, en transacciones en las que vendió tokens que le había enviado {entities}; no se les conoce otro precio. Su participación se infiere de ello; ninguna lista la nombra.',
    'accomplice.signed':
      'Firmó {transfers|transferencia|transferencias} por las que {victims|parte perdió|partes perdieron} {value} a manos de {entities}. Su participación se infiere de ello; ninguna lista la nombra.',
    'accomplice.fees':
      'Pagó {usd} como primeras monedas para comisiones de {wallets|billetera que vive|billeteras que viven} de {fed_usd} de {entities}. Su participación se infiere de ello; ninguna lista la nombra.',
    shared_layer:
      '{senders|parte le pagó|partes le pagaron}, no conservó casi nada, y {usd}, {share} de lo enviado, fueron a {wallets|billetera|billeteras} a las que también paga {entities}. Que ambos recauden para los mismos se infiere de ello; ninguna lista la nombra.',
    'indirect_exposure.received': INDIRECT.received,
    'indirect_exposure.sent': INDIRECT.sent,
    'indirect_exposure.received_unpriced': INDIRECT.receivedUnpriced,
    'indirect_exposure.sent_unpriced': INDIRECT.sentUnpriced,
    'indirect_exposure.lost': INDIRECT.lost,
    'beyond_reach.received':
      '{worth}, {share} de lo recibido, llegaron por {hops} pasos y desde más lejos de lo que se leyó, en su mayor parte por billeteras que solo pasan dinero o por una dirección con informes adversos. Se desconoce su origen.',
    'beyond_reach.sent':
      '{worth}, {share} de lo enviado, fueron por {hops} pasos y más lejos de lo que se leyó, en su mayor parte por billeteras que solo pasan dinero o por una dirección con informes adversos. Se desconoce su destino.',
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
    lost: `Perdió {value} en {transfers|transferencia|transferencias}, que recibió ${party}: {entities}[; lo pagó con lo que antes habían pagado {collected_senders|desconocido|desconocidos}, como una tienda paga a un proveedor y un recaudador a los suyos].`,
    taken: `Perdió {value} a manos de ${party}: {entities}. Se tomaron en {transfers|transferencia|transferencias} mediante una aprobación o un permiso.`,
    returned: `Recuperó {value} en {transfers|transferencia|transferencias} de ${party}: {entities}. Se le había quitado.`,
    handed_back: `Recibió {value} en {transfers|transferencia|transferencias} de ${party}: {entities}. Lo devolvió todo a la misma dirección.`,
    received,
    received_small: `${received} El importe es pequeño.`,
    received_dust: `${received} Nunca se le envió nada, así que cuenta como polvo no solicitado.`,
    received_first: `${received} Son las primeras monedas de la dirección.`,
  });
}

const ROLES: Record<PartyRole, string> = {
  destination: 'Destino',
  spender: 'Autorizado',
  token: 'Token',
  recipient: 'Beneficiario',
  owner: 'Titular',
  operator: 'Operador',
  controller: 'Nuevo controlador',
  target: 'Contrato llamado',
};

const FAULTS: Record<Parameters<PresignWords['undecodable']>[0], string> = {
  not_hex: 'Los datos de la llamada no son hexadecimales',
  no_selector: 'Los datos de la llamada son demasiado cortos para nombrar una función',
  unknown_call: 'Los datos contienen una llamada desconocida',
  too_deep: 'Los datos anidan llamadas a demasiada profundidad',
  too_many: 'Los datos contienen demasiadas llamadas o elementos',
  truncated: 'Los datos de la llamada acaban antes que sus argumentos',
  dirty: 'Los argumentos de la llamada tienen bits que deberían ser cero',
  overlong: 'Los datos de la llamada siguen después de sus argumentos',
  no_calldata_chain: 'Los datos de llamada de esta cadena no se pueden leer',
};

export const presign: PresignWords = {
  party: (role, call, address) => {
    const where = call === null ? '' : role === 'target' ? ` por ${call}` : ` en ${call}`;
    return `${ROLES[role]}${where} ${address}`;
  },
  sanctioned: (who, label) => `${who} está bajo sanciones: ${named(label)}.`,
  delisted: (who, day, label) =>
    `${who} estuvo bajo sanciones hasta el ${forms.date(day)} y ya no lo está: ${named(label)}.`,
  malicious: (who, label) => `${who} es un contrato malicioso conocido: ${named(label)}.`,
  labelled: (who, category, label) => `${who} tiene la etiqueta «${words(category)}»: ${named(label)}.`,
  sisterChain: (who, { category, chain }, label) =>
    `${who} figura como «${words(category)}» en ${words(chain)}, donde tiene la misma clave: ${named(label)}.`,
  scanned: (who, { level, score, day }) => {
    const scan = `el último análisis${day === null ? '' : ` (${forms.date(day)})`}`;
    if (level === 'UNKNOWN') return `${who}: ${scan} encontró demasiado poco para valorarla.`;
    return `${who}: ${scan} le dio el nivel ${level} (puntuación ${score}).`;
  },
  scannedInPart: (who) =>
    `${who}: el último análisis le dio el nivel LOW solo por una parte de su historial y de su dinero.`,
  exposure: (who, { direction, usd, share, category, isBefore }) => {
    const [verb, known, way] =
      direction === 'in' ? ['recibió', 'sus entradas conocidas', 'de'] : ['envió', 'sus salidas conocidas', 'a'];
    const amount = usd === null ? 'un importe de precio desconocido' : forms.usd(forms.number(usd));
    const part = share === null ? '' : ` (${forms.number(share)} % de ${known})`;
    const before = isBefore ? ', antes de que fueran sancionadas' : '';
    return `${who} ${verb} ${amount}${part} ${way} direcciones con la etiqueta «${words(category)}»${before}.`;
  },
  poisoning: (who) =>
    `${who} se ha usado como cebo: se parece a una dirección a la que su víctima había pagado antes. Compruebe la dirección entera.`,
  lookalike: ({ address, genuine, last, stands, expected }) => {
    const known =
      last === null
        ? 'que es el firmante'
        : `a la que el firmante pagó antes (por última vez el ${forms.date(last.day)}${last.txHash === null ? '' : `, transacción ${last.txHash}`})`;
    return `${address} se parece a ${genuine}, ${known}, y es otra dirección: pone ${stands} donde debería poner ${expected}.`;
  },
  longPermit: (call, at, { left, most }) =>
    `${call} en ${at} se puede usar ${left === null ? 'sin fin' : `durante ${left} días`}, más de ${most} días.`,
  payableLure: (call, at) => `${call}() en ${at} toma monedas y no indica nada a cambio: un engaño habitual.`,
  controlChange: (call, at, to) => `${call} en ${at} da a ${to} el control de un contrato o de su código.`,
  unknownOwner: (call, owner) =>
    `${call} mueve activos de ${owner}; no se indicó ningún firmante, así que no se sabe de quién son.`,
  foreignTransfer: (call, owner, to) =>
    `${call} mueve activos de ${owner}, que no es el firmante, a ${to}, de la que no se sabe nada.`,
  operatorApproval: (call, at, spender) =>
    `${call} en ${at} permite a ${spender} mover todos los tokens de la colección, ahora y después.`,
  unlimitedApproval: (call, at, spender) =>
    `${call} en ${at} permite a ${spender} tomar cualquier cantidad del token, ahora y después.`,
  undecodable: (fault, call) => `${FAULTS[fault]}${call === null ? '' : ` (${call})`}.`,
  unsupportedChain: (chain, isBnb) =>
    `La cadena ${chain} no es compatible${isBnb ? '; BNB Smart Chain es «bsc»' : ''}: no se sabe nada de esta transacción.`,
  neverScanned: (to) => `Nunca se ha analizado: ${to} no tiene etiqueta.`,
  neverScannedUnpriced: (to) =>
    `Nunca se ha analizado: ${to} no tiene etiqueta, y no se pudo poner precio al valor enviado.`,
  trusted: (address) =>
    `${address} está en la lista blanca de la cuenta: lo demás que se sabe de ella se deja de lado.`,
  storesUnreadable: 'No se pudieron leer las etiquetas o el grafo: las direcciones no se comprobaron del todo.',
  noLists: 'No hay listas de etiquetas cargadas.',
  noSanctions: 'No hay ninguna lista de sanciones cargada.',
  listsStale: 'Una lista de sanciones supera el doble de su intervalo.',
};

function named({ name, source, confidence, listedOn }: NamedLabel): string {
  const where = !listedOn ? '' : `, listada en ${listedOn}, la misma clave`;
  return `${JSON.stringify(name)}, fuente ${JSON.stringify(source)}, confianza ${confidence}${where}`;
}

/** Returns a category in words; the name of a chain with blanks. */
function words(name: string): string {
  return (codes as Record<string, string>)[name] ?? name.replaceAll('_', ' ');
}

export const summary: SummaryWords = {
  language: 'Spanish',
  space: ' ',
  rated: ({ chain, level, score }) => `Riesgo ${level}, puntuación ${score} de 100, en ${chain}.`,
  noDetection: 'Ninguna detección.',
  detections: (count, named, more) =>
    `${count} ${count === 1 ? 'detección' : 'detecciones'}: ${named}${more > 0 ? ` y ${more} más` : ''}.`,
  money: ({ count, text }, received, sent) =>
    `${text} ${count === 1 ? 'transacción' : 'transacciones'}; recibido ${received}, enviado ${sent}.`,
  nothing: 'nada',
  noParties: 'Ninguna contraparte etiquetada.',
  parties: (named) => `Contrapartes etiquetadas: ${named}.`,
};

export const tokenScreening: typeof en.tokenScreening = {
  known_malicious: 'Figura en el registro como {category}: {label} (fuente: {source}).',
  'known_malicious.reported': 'Se ha informado de que es {category}: {label} (según {source}).',
  address_poisoning:
    'Hace de cebo para {victim}: se parece a {genuine}, con la que de verdad ha tratado (coinciden {prefix} caracteres al principio y {suffix} al final; {kind}). {victims|víctima|víctimas} en este periodo.',
  'address_poisoning.loss':
    'Hace de cebo para {victim}: se parece a {genuine}, con la que de verdad ha tratado (coinciden {prefix} caracteres al principio y {suffix} al final; {kind}). {victims|víctima|víctimas} en este periodo, {losses|pago desviado|pagos desviados} hacia ella.',
  relay_chain:
    'Reenvió {usd} a los {minutes} de recibirlos y no se quedó casi nada (siguió el {kept_share}), en una cadena de {hops} transferencias de {from} a {to}.',
  'relay_chain.median':
    'Reenvió {times_median} veces el importe habitual a los {minutes} de recibirlo y no se quedó casi nada (siguió el {kept_share}), en una cadena de {hops} transferencias de {from} a {to}.',
  rapid_distribution: 'Envió {usd} a {receivers} destinatarios en {minutes}.',
  'rapid_distribution.median':
    'Envió {times_median} veces el importe habitual a {receivers} destinatarios en {minutes}.',
  large_transfer: '{count|transferencia|transferencias} en el 1 % de las mayores del periodo; la mayor, de {usd}.',
  'large_transfer.median':
    '{count|transferencia|transferencias} en el 1 % de las mayores del periodo; la mayor, de {times_median} veces el importe habitual.',
};

export const transaction: typeof en.transaction = {
  pending: 'La transacción aún no está en un bloque.',
  failed: 'La transacción falló: no se movió nada salvo la comisión.',
  of_type: 'Transacción de tipo {type}',
  no_asset: 'Transacción que no movió ningún activo',
  accounts: '{what}: se listan las cuentas que intervienen.',
  balances: '{what}: lo movido se lee de los cambios de saldo.',
  apportioned: 'La cadena no dice qué remitente pagó a qué receptor: los importes son partes proporcionales.',
  coinjoin: 'Un CoinJoin: nada dice quién pagó cuál de las salidas iguales.',
  delivered: 'Pago entre monedas distintas: el importe es lo entregado.',
  partial_payment: 'Un pago parcial: declara {amount} {asset}; el importe es lo entregado.',
  destination_tag: 'Etiqueta de destino {tag}.',
  participants: 'Solo se listan {shown} de {count} participantes.',
};
