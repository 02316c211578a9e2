import { useState } from 'preact/hooks';
import { chainName } from '../../../../src/domain/chain.ts';
import type { SceneNode } from '../../../../src/domain/scene/scene.ts';
import { dollars, momentText, percentOnLine } from '../../../browser/figures.ts';
import { bracketed, labelled, words } from '../../../browser/words.ts';
import { findTerminals, showExposure } from '../../../canvas-session/asks.ts';
import type { CanvasSession } from '../../../canvas-session/canvas-session.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { CategoryBadge } from '../../../parts/category-badge.tsx';
import { CopyCypher } from '../../../parts/copy.tsx';
import { Table } from '../../../parts/table.tsx';
import type { Exposures, Terminals } from '../../../service/tracing-answers.ts';
import { TagLines } from './pieces/tag-lines.tsx';

/** The labelled parties behind an address: its exposure, and the services where its money ended. */
export function PartiesPanel({ session, node }: { session: CanvasSession; node: SceneNode }) {
  const texts = words().investigate;
  const [exposure, setExposure] = useState<Exposures | null>(null);
  const [terminals, setTerminals] = useState<Terminals | null>(null);
  const busy = session.busy.value;
  return (
    <details>
      <summary>{texts.exposure}</summary>
      <div class="row">
        <button
          type="button"
          disabled={busy}
          onClick={() => session.run(async (signal) => setExposure(await showExposure(session, node, signal)))}
        >
          {texts.exposureOf}
        </button>
        <button
          type="button"
          disabled={busy}
          onClick={() => session.run(async (signal) => setTerminals(await findTerminals(session, node, signal)))}
        >
          {texts.terminalsOf}
        </button>
      </div>
      {exposure?.note && <p class="muted">{exposure.note}</p>}
      {exposure && (
        <Table
          caption={texts.exposure}
          rows={[...exposure.direct, ...exposure.indirect]}
          keyOf={(one) => `${one.direction} ${one.category} ${one.min_hops}`}
          empty={texts.noExposure}
          columns={[
            { title: texts.direction, cell: (one) => texts[one.direction] },
            {
              title: texts.party,
              cell: ({ category, top: [party] }) =>
                party ? (
                  <PartyText chain={node.chain} party={party} category={category} />
                ) : (
                  <CategoryBadge category={category} />
                ),
            },
            { title: texts.value, cell: (one) => bracketed(dollars(one.usd), percentOnLine(one.share)), numeric: true },
            { title: texts.hops, cell: (one) => one.min_hops, numeric: true },
          ]}
        />
      )}
      {exposure?.patterns.map((pattern) => (
        <p key={pattern.pattern_id}>
          <strong>{pattern.name}</strong>: {pattern.description}
        </p>
      ))}
      <CopyCypher text={exposure?.cypher} />
      {terminals?.note && <p class="muted">{terminals.note}</p>}
      {terminals && (
        <Table
          caption={texts.terminals}
          rows={terminals.terminals}
          keyOf={(one) => `${one.chain} ${one.address}`}
          empty={texts.noTerminals}
          columns={[
            {
              title: texts.party,
              cell: (one) => (
                <>
                  <PartyText chain={node.chain} party={one} category={one.category} />
                  <br />
                  <span class="muted">{labelled(texts.arrived, momentText(one.last_at))}</span>
                  <TagLines tags={one.tags} direction="sent" />
                </>
              ),
            },
            { title: texts.value, cell: (one) => dollars(one.usd), numeric: true },
            { title: texts.hops, cell: (one) => one.hops, numeric: true },
          ]}
        />
      )}
      <CopyCypher text={terminals?.cypher} />
    </details>
  );
}

interface PartyTextProps {
  /** The chain of the investigation. */
  chain: string;
  party: Exposures['direct'][number]['top'][number] | Terminals['terminals'][number];
  category: Exposures['direct'][number]['category'];
}

/** A labelled party in a narrow column: its label, category and address, and its chain where money crossed a bridge. */
function PartyText({ chain, party, category }: PartyTextProps) {
  return (
    <>
      {party.label} <CategoryBadge category={category} />
      <br />
      <AddressText chain={party.chain} address={party.address} />
      {party.chain !== chain && <span class="muted"> {chainName(party.chain)}</span>}
    </>
  );
}
