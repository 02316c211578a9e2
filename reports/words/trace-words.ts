import type { CrossingMatch } from '../../src/domain/bridges/crossing.ts';
import type { EndReason } from '../../src/domain/tracing/findings.ts';
import type { ReportLanguage } from './words.ts';

/** Why a search behind an address ended, beside the ends of its traces. */
type SearchReason = 'pattern_budget' | 'address_budget' | 'crossing_budget' | 'source_failed' | 'not_readable';

/** How reports describe crossings of bridges and the ends of a trace; `{…}` is filled in. */
interface TraceWords {
  /** Title of a list of crossings. */
  crossings: string;
  crossed: string;
  /** The message id after the name of the bridge. */
  message: string;
  left: string;
  arrived: string;
  unknownLeft: string;
  unknownArrived: string;
  recipient: string;
  /** How sure it is that both sides are one transfer. */
  match: Record<CrossingMatch, string>;
  /** After the sentence of a draft, where an analyst confirmed the match. */
  confirmed: string;
  fee: string;
  /** The trace ended at the bridge. */
  notFollowed: string;
  /** A bridge in the table of ends. */
  end: string;
  /** A chain outside the supported ones, by the protocol's number. */
  otherChain: string;
  unknown: string;
  unknownAddress: string;
  /** A crossing in the text of a draft. */
  sentence: string;
  /** A crossing from or to an address of the case that an analyst confirmed. */
  confirmedSentence: string;
  /** Title of a list of them, and what it says where they could not be read. */
  confirmedCrossings: string;
  confirmedOmitted: string;
  ends: Record<EndReason | SearchReason, string>;
}

const en: TraceWords = {
  crossings: 'Crossings of bridges',
  crossed: 'Bridge {protocol}, {from} to {to}',
  message: ', message {id}',
  left: 'Left {chain}: {amount}, {at}, transaction {tx}',
  arrived: 'Arrived on {chain}: {amount}, {at}, transaction {tx}',
  unknownLeft: 'Departure from {chain}: not known',
  unknownArrived: 'Arrival on {chain}: not known',
  recipient: ', recipient {address}',
  match: {
    id: 'Both sides state the same message.',
    likely: 'Likely the same transfer: recipient, amount and time fit; no message id joins the two sides.',
    confirmed:
      'Recipient, amount and time fit; no message id joins the two sides. Confirmed as the same transfer by {by}, {at}.',
  },
  confirmed: ' No message id joins the two transactions: {by} confirmed on {at} that they belong together.',
  fee: 'Did not arrive (fee): {amount}',
  notFollowed: 'Not followed: {reason}.',
  end: '{protocol}, {from} to {to}: {reason}',
  otherChain: 'chain {raw}',
  unknown: 'an unknown chain',
  unknownAddress: '(not known)',
  sentence:
    'Between address {address} and the category "{category}" the money crossed the bridge {protocol}: {sent} left {from} in transaction {tx_out}, and {received} arrived on {to} in transaction {tx_in}.',
  confirmedSentence:
    'Over the bridge {protocol}, {sent} left address {sender} on {from} in transaction {tx_out}, and {received} arrived at address {recipient} on {to} in transaction {tx_in}.',
  confirmedCrossings: 'Crossings of bridges that an analyst confirmed',
  confirmedOmitted: 'The confirmed crossings of bridges could not be read in time and are left out of this report.',
  ends: {
    not_read: 'the address was not read',
    partial_history: 'its history was read in part only',
    unknown_origin: 'no known transfer explains the money',
    held: 'the money was still there',
    not_read_since: 'not read since the money arrived',
    spent_unseen: 'spent in transfers that were not read',
    unpriced: 'no price is known',
    burned: 'the money was burned or paid as a fee to the network',
    own_money: 'the money came back to its owner',
    bridge_liquidity: 'money of a pool that paid out a crossing',
    max_hops: 'the hop limit was reached',
    limit: 'the limit of addresses was reached',
    small_share: 'too small a part of the money',
    time_budget: 'the time limit was reached',
    pattern_budget: 'not every flow around the address was searched for patterns',
    address_budget: 'the number of addresses that one reading opens was used up',
    crossing_budget: 'the number of crossings that one reading looks for was used up',
    source_failed: 'a data source failed',
    not_readable: 'no data source reads the chain',
    hub_not_expanded: 'it has too many transfers to follow the money of one customer',
    contract_not_expanded: 'a contract that pools the money of many',
    bridge_pending: 'not delivered so far',
    bridge_not_found: 'the other chain was asked and has no fitting delivery or deposit',
    bridge_no_link: 'nothing links the two sides',
    bridge_chain_unsupported: 'the other chain is not supported',
    bridge_source_missing: 'no data source is configured for the other chain',
    bridge_not_looked_up: 'the other side was not looked for',
    bridge_likely: 'the other side is only likely',
    cross_chain_off: 'bridges were left out of this trace',
  },
};

const ja: TraceWords = {
  crossings: 'ブリッジを経由した移転',
  crossed: 'ブリッジ {protocol}：{from}から{to}へ',
  message: '、メッセージID {id}',
  left: '{chain}からの送付：{amount}、{at}、取引 {tx}',
  arrived: '{chain}への着金：{amount}、{at}、取引 {tx}',
  unknownLeft: '{chain}からの送付：不明',
  unknownArrived: '{chain}への着金：不明',
  recipient: '、送付先 {address}',
  match: {
    id: '両側の記録が同じメッセージを示しています。',
    likely: '同一の移転である可能性が高いものです。送付先・金額・時刻は一致しますが、メッセージIDでは確認できません。',
    confirmed:
      '送付先・金額・時刻は一致しますが、メッセージIDでは確認できません。同一の移転であることを{by}が{at}に確認しました。',
  },
  confirmed: '両取引を結び付けるメッセージIDはありませんが、同一の移転であることを{by}が{at}に確認しました。',
  fee: '着金しなかった額（手数料）：{amount}',
  notFollowed: '追跡していません：{reason}。',
  end: '{protocol}（{from}から{to}へ）：{reason}',
  otherChain: 'チェーン{raw}',
  unknown: '不明なチェーン',
  unknownAddress: '（不明）',
  sentence:
    'アドレス{address}と「{category}」との間の資金の経路で、ブリッジ{protocol}が使われています。{from}から{sent}が取引{tx_out}で送付され、{to}に{received}が取引{tx_in}で着金しました。',
  confirmedSentence:
    'ブリッジ{protocol}を経由して、{from}のアドレス{sender}から{sent}が取引{tx_out}で送付され、{to}のアドレス{recipient}に{received}が取引{tx_in}で着金しました。',
  confirmedCrossings: '担当者が確認したブリッジ経由の移転',
  confirmedOmitted:
    '担当者が確認したブリッジ経由の移転は、制限時間内に読み取れなかったため、本レポートには含まれません。',
  ends: {
    not_read: 'アドレスが未読',
    partial_history: '履歴の一部だけを読み取り',
    unknown_origin: '既知の移転では説明できない資金',
    held: '資金が残っている',
    not_read_since: '資金の受取後は未読',
    spent_unseen: '読み取っていない移転で支出',
    unpriced: '価格が不明',
    burned: '資金が焼却された、またはネットワーク手数料として支払われた',
    own_money: '資金が本人に戻った',
    bridge_liquidity: 'ブリッジの払い出しに使われたプールの資金',
    max_hops: 'ホップ数の上限に到達',
    limit: 'アドレス数の上限に到達',
    small_share: '資金に占める割合が小さい',
    time_budget: '時間の上限に到達',
    pattern_budget: '周辺の移転の一部はパターンの検索対象外',
    address_budget: '1回の読み取りで調べるアドレス数の上限に到達',
    crossing_budget: '1回の読み取りで調べるブリッジ移転数の上限に到達',
    source_failed: 'データソースの読み取りに失敗',
    not_readable: 'チェーンを読み取るデータソースがない',
    hub_not_expanded: '移転が多く、一顧客の資金を追跡できない',
    contract_not_expanded: '多数の資金をまとめるコントラクト',
    bridge_pending: 'まだ着金していない',
    bridge_not_found: '相手チェーンを確認したが、一致する着金または送付がない',
    bridge_no_link: '両側を結び付ける情報がない',
    bridge_chain_unsupported: '相手チェーンは対応していない',
    bridge_source_missing: '相手チェーンのデータソースが設定されていない',
    bridge_not_looked_up: '相手側を確認していない',
    bridge_likely: '相手側は可能性にとどまる',
    cross_chain_off: 'ブリッジを追跡の対象外とした',
  },
};

const es: TraceWords = {
  crossings: 'Cruces de puentes',
  crossed: 'Puente {protocol}, de {from} a {to}',
  message: ', mensaje {id}',
  left: 'Salió de {chain}: {amount}, {at}, transacción {tx}',
  arrived: 'Llegó a {chain}: {amount}, {at}, transacción {tx}',
  unknownLeft: 'Salida de {chain}: desconocida',
  unknownArrived: 'Llegada a {chain}: desconocida',
  recipient: ', destinatario {address}',
  match: {
    id: 'Ambos lados declaran el mismo mensaje.',
    likely:
      'Probablemente la misma transferencia: coinciden destinatario, importe y hora; ningún mensaje une los dos lados.',
    confirmed:
      'Coinciden destinatario, importe y hora; ningún mensaje une los dos lados. {by} confirmó el {at} que es la misma transferencia.',
  },
  confirmed: ' Ningún mensaje une las dos transacciones: {by} confirmó el {at} que son la misma transferencia.',
  fee: 'No llegó (comisión): {amount}',
  notFollowed: 'No se siguió: {reason}.',
  end: '{protocol}, de {from} a {to}: {reason}',
  otherChain: 'la cadena {raw}',
  unknown: 'una cadena desconocida',
  unknownAddress: '(desconocida)',
  sentence:
    'Entre la dirección {address} y la categoría «{category}», el dinero cruzó el puente {protocol}: {sent} salió de {from} en la transacción {tx_out} y {received} llegó a {to} en la transacción {tx_in}.',
  confirmedSentence:
    'Por el puente {protocol}, {sent} salió de la dirección {sender} en {from} en la transacción {tx_out} y {received} llegó a la dirección {recipient} en {to} en la transacción {tx_in}.',
  confirmedCrossings: 'Cruces de puentes confirmados por un analista',
  confirmedOmitted: 'Los cruces de puentes confirmados no pudieron leerse a tiempo y no figuran en este informe.',
  ends: {
    not_read: 'la dirección no se leyó',
    partial_history: 'su historial se leyó solo en parte',
    unknown_origin: 'ninguna transferencia conocida explica el dinero',
    held: 'el dinero seguía allí',
    not_read_since: 'no se leyó desde que llegó el dinero',
    spent_unseen: 'gastado en transferencias que no se leyeron',
    unpriced: 'no se conoce el precio',
    burned: 'el dinero se quemó o se pagó como comisión a la red',
    own_money: 'el dinero volvió a su dueño',
    bridge_liquidity: 'dinero de un fondo que pagó un cruce',
    max_hops: 'se alcanzó el límite de saltos',
    limit: 'se alcanzó el límite de direcciones',
    small_share: 'una parte demasiado pequeña del dinero',
    time_budget: 'se alcanzó el límite de tiempo',
    pattern_budget: 'no se buscaron patrones en todos los flujos alrededor de la dirección',
    address_budget: 'se agotó el número de direcciones que abre una lectura',
    crossing_budget: 'se agotó el número de cruces que busca una lectura',
    source_failed: 'falló una fuente de datos',
    not_readable: 'ninguna fuente de datos lee la cadena',
    hub_not_expanded: 'tiene demasiadas transferencias para seguir el dinero de un cliente',
    contract_not_expanded: 'un contrato que reúne el dinero de muchos',
    bridge_pending: 'aún sin entregar',
    bridge_not_found: 'se consultó la otra cadena y no hay entrega ni depósito que encaje',
    bridge_no_link: 'nada une los dos lados',
    bridge_chain_unsupported: 'la otra cadena no está soportada',
    bridge_source_missing: 'no hay fuente de datos configurada para la otra cadena',
    bridge_not_looked_up: 'no se buscó el otro lado',
    bridge_likely: 'el otro lado es solo probable',
    cross_chain_off: 'los puentes se excluyeron de este rastreo',
  },
};

export const TRACE_WORDS: Record<ReportLanguage, TraceWords> = { en, ja, es };
