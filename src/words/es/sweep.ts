import type { SweepWords } from '../en/sweep.ts';

export const sweep: SweepWords = {
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
