import type { TransactionWords } from '../en/transaction.ts';

export const transaction: TransactionWords = {
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
