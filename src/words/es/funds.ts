import type { FundsWords } from '../en/funds.ts';

export const funds: FundsWords = {
  not_read:
    'El grafo no conoce transferencias de esta dirección en este sentido. Analícela (GET /public/scan) o haga seguir su dinero (POST /graph/trace) y pregunte de nuevo.',
  no_subject: 'Ninguna dirección del caso tiene el papel `subject`. Asígnelo a aquellas cuyo dinero se debe seguir.',
  ends_at:
    'El dinero no se siguió más allá de {parties}, según las listas de etiquetas. Para seguirlo, añádalas al caso con el papel «{role}»: todos los sujetos son una sola parte.',
  subjects_unread:
    'Aún no ha leído {count} de las direcciones: de ellas solo cuentan transferencias vistas en otra parte.',
  subjects_max: 'De {count} sujetos se siguen los primeros {most}.',
  exchanged:
    'Sus propios intercambios dentro de una transacción no cuentan ni como recibido ni como enviado: {usd} USD quedan fuera del total.',
  uncovered: 'De lo enviado, {usd} USD no se explica con lo que se sabe que entró.',
  flows_max: 'De {count} flujos se muestran los {shown} mayores.',
  wallets_of_pro: 'Las billeteras que guardan el dinero, y sus flujos, se muestran a partir del plan Pro.',
};
