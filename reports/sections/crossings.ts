import type { BridgeFacts } from '../../src/domain/bridges/bridge-facts.ts';
import { explorerLink } from '../../src/domain/chain.ts';
import { WORDS } from '../../words/words.ts';
import { pdfAddress, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
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

/** Points of a crossing's lines below its first, and of the hash below the line that names it. */
const CROSSING = 110;
const HASH_LINE = 14;

/** The crossings of bridges of the flow of funds, each once, with both transactions. */
export function crossingsSection({ pdf, language }: Section, crossings: readonly BridgeFacts[], nameOf: NameOf): void {
  const all = new Map(crossings.map((bridge) => [describeBridge(bridge, language, nameOf), bridge]));
  if (all.size === 0) return;
  pdfHeading(pdf, 2, WORDS[language].bridges.crossings);
  for (const [text, { source, destination }] of all) {
    const [title = '', ...lines] = text.split('\n');
    pdfParagraph(pdf, title, { bold: true, keep: CROSSING });
    for (const line of lines) {
      const side = [source, destination].find(({ tx_hash: hash }) => hash !== null && line.endsWith(hash));
      const hash = side?.tx_hash ?? '';
      pdfParagraph(pdf, line.slice(0, line.length - hash.length), { keep: HASH_LINE });
      if (side) pdfAddress(pdf, hash, explorerLink(side.chain ?? '', 'tx', hash));
    }
    pdf.y += 4;
  }
}
