import type { NamedLabel, PartyRole, PresignWords } from '../en/presign.ts';
import { codes } from './codes.ts';
import { forms } from './forms.ts';

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
  bait: (who) =>
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
