import type { RequestWords } from '../../en/reports/requests.ts';

export const requests: RequestWords = {
  title: 'Solicitud de inmovilización y de conservación de registros: {service}',
  reference: 'Referencia',
  case: 'Caso',
  date: 'Fecha',
  intro:
    'En el caso citado, {usd} ({share} del dinero seguido; {assets}) llegó a direcciones que listas públicas atribuyen a {service}. El camino se siguió en los registros públicos; las transacciones figuran abajo.',
  deposits: 'Direcciones de depósito de clientes, hasta donde se ve: reenvían todo lo que reciben',
  way: 'El camino del dinero hasta allí',
  partOf: '{moved} en el registro, de ello {part} seguido',
  cut: '{usd} del dinero del caso no se pudo seguir hasta su final ({reasons}): puede que haya llegado más a {service}.',
  addresses: 'Direcciones a las que llegó',
  transactions: 'Transacciones',
  moreAddresses: 'Hay {count} direcciones más; se comunicarán si las pide.',
  moreTransactions: 'Hay {count} transacciones más; se comunicarán si las pide.',
  tag: 'etiqueta de destino {tag}',
  sourceTag: 'etiqueta de origen {tag}',
  untagged: 'sin etiqueta',
  noTag: 'Donde no se indica etiqueta de destino, la propia transacción muestra si lleva una.',
  askedTitle: 'Se le pide',
  asked: [
    'inmovilizar lo que quede de estas cantidades en las cuentas en que se abonaron, en la medida en que su ley lo permita;',
    'comunicar a la autoridad competente los clientes de estas cuentas, con su identificación y datos de contacto;',
    'conservar los registros de estas cuentas: accesos con direcciones IP y dispositivos, depósitos, operaciones, retiradas;',
    'indicar adónde fue el dinero si salió: direcciones, transacciones, cantidades, horas;',
    'responder con la referencia indicada y nombrar a una persona responsable.',
  ],
  closing:
    'Remitente, autoridad y base jurídica: [por completar]. Una atribución es un indicio, no una prueba; indique si una dirección no es suya.',
};
