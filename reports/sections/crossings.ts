import type { BridgeFacts } from '../../src/domain/bridges/bridge-facts.ts';
import { WORDS } from '../../words/words.ts';
import { pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { describeBridge, type NameOf } from './describe-bridge.ts';
import type { Section } from './section.ts';

/** The likely matches that analysts confirmed for addresses of the case; nothing where there are none. */
export function confirmedSection({ pdf, language }: Section, confirmed: readonly BridgeFacts[] | null): void {
  const say = WORDS[language].bridges;
  if (confirmed?.length === 0) return;
  pdfHeading(pdf, 2, say.confirmedCrossings);
  if (confirmed === null) pdfParagraph(pdf, say.confirmedOmitted);
  for (const bridge of confirmed ?? []) pdfParagraph(pdf, describeBridge(bridge, language));
}

/** The crossings of bridges on the way of the money, each once, with both transactions. */
export function crossingsSection({ pdf, language }: Section, crossings: readonly BridgeFacts[], nameOf: NameOf): void {
  const texts = new Set(crossings.map((bridge) => describeBridge(bridge, language, nameOf)));
  if (texts.size === 0) return;
  pdfHeading(pdf, 2, WORDS[language].bridges.crossings);
  for (const text of texts) pdfParagraph(pdf, text);
}
