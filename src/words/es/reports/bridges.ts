import type { BridgeWords } from '../../en/reports/bridges.ts';

export const bridges: BridgeWords = {
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
  open: 'Cualquiera puede hacer tal declaración.',
  openDiffers:
    'Ambos lados declaran el mismo mensaje, pero cualquiera puede hacerlo, y sus valores no coinciden o no se conocen.',
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
  rowLeft: 'Salió por un puente y llegó a {chain} en la transacción {tx}.',
  rowArrived: 'Llegó por un puente y salió de {chain} en la transacción {tx}.',
};
