import { dollars } from '../../../browser/figures.ts';
import { linkTo } from '../../../browser/route.ts';
import { words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { CategoryBadge } from '../../../parts/category-badge.tsx';
import { MomentText } from '../../../parts/moment-text.tsx';
import { OwnLabels } from '../../../parts/own-labels.tsx';
import { Table } from '../../../parts/table.tsx';
import type { GraphCounterparties } from '../../../service/tracing-answers.ts';

type Row = GraphCounterparties['counterparties'][number];

/** Lists the largest counterparties: name and holder, what came from them and what went to them. */
export function PartyTable({ answer }: { answer: GraphCounterparties }) {
  const texts = words().profile;
  return (
    <>
      <Table
        caption={texts.parties}
        rows={answer.counterparties}
        keyOf={(one) => one.address}
        empty={texts.noParties}
        columns={[
          { title: texts.party, cell: (one) => <PartyName chain={answer.chain} party={one} /> },
          { title: texts.cameFrom, cell: (one) => <Sum of={one.received} />, numeric: true },
          { title: texts.wentTo, cell: (one) => <Sum of={one.sent} />, numeric: true },
          { title: texts.lastDealing, cell: (one) => <MomentText at={lastOf(one)} /> },
        ]}
      />
      {answer.total > answer.counterparties.length && (
        <p class="muted">{texts.partiesOf(answer.counterparties.length, answer.total)}</p>
      )}
    </>
  );
}

function PartyName({ chain, party }: { chain: string; party: Row }) {
  const texts = words().profile;
  const { address, label, category, entity_id, entity_name, address_count = 1 } = party;
  return (
    <>
      {label} <AddressText chain={chain} address={address} />{' '}
      {category !== 'unknown' && <CategoryBadge category={category} />}
      <OwnLabels labels={party.own_labels} />
      {entity_id && (
        <div class="muted">
          <a href={linkTo('entity', [entity_id])}>{entity_name ?? texts.holder}</a>
          {address_count > 1 && ` · ${texts.addressCount(address_count)}`}
        </div>
      )}
    </>
  );
}

function Sum({ of }: { of: Row['sent'] }) {
  if (!of) return null;
  return (
    <>
      {dollars(of.usd)}
      {of.tx_count > 1 && <div class="muted">{words().profile.transactions(of.tx_count)}</div>}
    </>
  );
}

function lastOf({ sent, received }: Row): string | undefined {
  return [sent?.last_at, received?.last_at].filter(Boolean).sort().at(-1);
}
