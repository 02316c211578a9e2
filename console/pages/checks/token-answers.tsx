import { count } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import { AddressText, CopyText } from '../../parts/address-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { Table } from '../../parts/table.tsx';
import type { ScreeningFound, TokenTransfersFound } from '../../service/answers.ts';

/** Transfers of a token at one address, with sums by counterparty. */
export function TransfersAnswer({ answer }: { answer: TokenTransfersFound }) {
  const texts = words().checks;
  const { parts } = words();
  const amount = (value: number) => `${count(value)} ${answer.token_symbol ?? ''}`;
  return (
    <>
      <section class="card" aria-labelledby="token-counterparties">
        <h2 id="token-counterparties">{texts.counterparties}</h2>
        {answer.note && <p class="note">{answer.note}</p>}
        <Table
          caption={texts.counterparties}
          rows={answer.counterparties}
          keyOf={(one) => one.address}
          empty={texts.noTransfers}
          columns={[
            { title: parts.address, cell: (one) => <AddressText chain={answer.chain} address={one.address} /> },
            {
              title: words().scan.label,
              cell: (one) => (
                <>
                  <CategoryBadge category={one.category} /> {one.label}
                </>
              ),
            },
            { title: texts.sentTo, cell: (one) => amount(one.sent_amount), numeric: true },
            { title: texts.receivedFrom, cell: (one) => amount(one.received_amount), numeric: true },
          ]}
        />
      </section>
      <section class="card" aria-labelledby="token-transfers">
        <h2 id="token-transfers">{texts.transfers}</h2>
        <Table
          caption={texts.transfers}
          rows={answer.transfers}
          keyOf={(one) => `${one.tx_hash} ${one.from_address} ${one.to_address} ${one.amount}`}
          empty={texts.noTransfers}
          columns={[
            { title: parts.when, cell: (one) => <MomentText at={one.timestamp} /> },
            { title: parts.from, cell: (one) => <AddressText chain={answer.chain} address={one.from_address} /> },
            { title: parts.to, cell: (one) => <AddressText chain={answer.chain} address={one.to_address} /> },
            { title: parts.amount, cell: (one) => amount(one.amount), numeric: true },
            { title: parts.transaction, cell: (one) => <CopyText text={one.tx_hash} /> },
          ]}
        />
      </section>
    </>
  );
}

/** Addresses that stand out in all transfers of a token. */
export function ScreeningAnswer({ answer }: { answer: ScreeningFound }) {
  const texts = words().checks;
  const { parts } = words();
  return (
    <section class="card" aria-labelledby="token-sweep">
      <h2 id="token-sweep">{texts.flagged}</h2>
      {answer.note && <p class="note">{answer.note}</p>}
      <Table
        caption={texts.flagged}
        rows={answer.flagged_addresses}
        keyOf={(one) => `${one.address} ${one.pattern_type}`}
        empty={texts.noneFlagged}
        columns={[
          { title: parts.address, cell: (one) => <AddressText chain={answer.chain} address={one.address} /> },
          { title: words().scan.reason, cell: (one) => one.reason },
          { title: parts.transaction, cell: (one) => <CopyText text={one.sample_tx_hash} /> },
        ]}
      />
    </section>
  );
}
