import { wordOf } from '../risk/texts/texts.ts';
import type { SummaryFacts, SummaryLang } from './port.ts';

const NAMED_MAX = 3;
const readable = new Intl.NumberFormat('en-US', { maximumFractionDigits: 18 });

/** The summary by rules: the same facts give the same sentences. */
export function writeSummary(facts: SummaryFacts, lang: SummaryLang): string {
  if (lang === 'ja') return inJapanese(facts);
  return lang === 'es' ? inSpanish(facts) : inEnglish(facts);
}

function inEnglish(facts: SummaryFacts): string {
  const { detections } = facts;
  const named = detections.slice(0, NAMED_MAX).map(({ name, severity }) => `${name} (${severity})`);
  const more = detections.length - named.length;
  return [
    `Risk ${facts.risk_level}, score ${facts.risk_score} of 100, on ${facts.chain}.`,
    detections.length === 0
      ? 'No detection.'
      : `${detections.length} ${detections.length === 1 ? 'detection' : 'detections'}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    `${facts.transactions.toLocaleString('en-US')} ${facts.transactions === 1 ? 'transaction' : 'transactions'}; received ${amounts(facts.received, 'nothing')}, sent ${amounts(facts.sent, 'nothing')}.`,
    facts.counterparties.length === 0
      ? 'No labelled counterparty.'
      : `Labelled counterparties: ${counterparties(facts, 'en').join(', ')}.`,
  ].join(' ');
}

function inJapanese(facts: SummaryFacts): string {
  const { detections } = facts;
  const named = detections.slice(0, NAMED_MAX).map(({ name, severity }) => `${name}（${severity}）`);
  const more = detections.length - named.length;
  const parties = facts.counterparties.slice(0, NAMED_MAX);
  const party = ({ label, category }: (typeof parties)[number]) => `${label}（${wordOf(category, 'ja')}）`;
  return [
    `${facts.chain}上のアドレスのリスクレベルは${facts.risk_level}、スコアは100点中${facts.risk_score}点です。`,
    detections.length === 0
      ? '検知事項はありません。'
      : `検知事項は${detections.length}件あります：${named.join('、')}${more > 0 ? `、ほか${more}件` : ''}。`,
    `取引は${facts.transactions.toLocaleString('en-US')}件です（受取：${amounts(facts.received, 'なし', '、')}／送付：${amounts(facts.sent, 'なし', '、')}）。`,
    parties.length === 0
      ? 'ラベルのある相手方はありません。'
      : `ラベルのある相手方：${parties.map(party).join('、')}。`,
  ].join('');
}

function inSpanish(facts: SummaryFacts): string {
  const { detections } = facts;
  const named = detections.slice(0, NAMED_MAX).map(({ name, severity }) => `${name} (${severity})`);
  const more = detections.length - named.length;
  return [
    `Riesgo ${facts.risk_level}, puntuación ${facts.risk_score} de 100, en ${facts.chain}.`,
    detections.length === 0
      ? 'Ninguna detección.'
      : `${detections.length} ${detections.length === 1 ? 'detección' : 'detecciones'}: ${named.join(', ')}${more > 0 ? ` y ${more} más` : ''}.`,
    `${facts.transactions.toLocaleString('en-US')} ${facts.transactions === 1 ? 'transacción' : 'transacciones'}; recibido ${amounts(facts.received, 'nada')}, enviado ${amounts(facts.sent, 'nada')}.`,
    facts.counterparties.length === 0
      ? 'Ninguna contraparte etiquetada.'
      : `Contrapartes etiquetadas: ${counterparties(facts, 'es').join(', ')}.`,
  ].join(' ');
}

function counterparties({ counterparties }: SummaryFacts, lang: 'en' | 'es'): string[] {
  return counterparties.slice(0, NAMED_MAX).map(({ label, category }) => `${label} (${wordOf(category, lang)})`);
}

function amounts(of: Record<string, number>, none: string, separator = ', '): string {
  const entries = Object.entries(of);
  if (entries.length === 0) return none;
  const listed = entries.slice(0, NAMED_MAX).map(([asset, amount]) => `${readable.format(amount)} ${asset}`);
  return listed.join(separator) + (entries.length > NAMED_MAX ? `${separator}…` : '');
}
