import type { SuppressedDetection } from '../../src/risk/detection.ts';
import type { ReportLanguage } from './words.ts';

/** Why a detection that was found does not count. */
// biome-ignore format: a table
export const SUPPRESSION_WORDS: Record<SuppressedDetection['suppressed_by'], Record<ReportLanguage, string>> = {
  service_label: { en: 'a label names the address as a service', ja: 'サービスとしてのラベルがある', es: 'una etiqueta identifica la dirección como servicio' },
  service_like: { en: 'it behaves like a service', ja: 'サービスに似た挙動である', es: 'se comporta como un servicio' },
  deposit_address: { en: 'it is a deposit address', ja: '取引所等への送付用アドレスである', es: 'es una dirección de depósito' },
  contract_address: { en: 'it is a contract', ja: 'コントラクトである', es: 'es un contrato' },
  partial_history: { en: 'the history was read in part only', ja: '履歴の一部しか読んでいない', es: 'el historial solo se leyó en parte' },
  recurring_recipients: { en: 'the receivers are paid regularly', ja: '定期的な送付先である', es: 'los destinatarios cobran con regularidad' },
  recurring_business: { en: 'this is regular business of the address', ja: 'このアドレスの通常の取引である', es: 'es la actividad habitual de la dirección' },
  short_chain: { en: 'the chain of payments is too short', ja: '連続する移転が短い', es: 'la cadena de pagos es demasiado corta' },
  whitelist: { en: 'the counterparties are on your whitelist', ja: '相手方がホワイトリストにある', es: 'las contrapartes están en su lista blanca' },
};
