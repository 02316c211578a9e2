import { words } from '../../browser/words.ts';
import { DecimalText, fractionOf } from '../../parts/decimal-text.tsx';
import { Table } from '../../parts/table.tsx';

interface FlowTotalsProps {
  totals: { sent: Record<string, number>; received: Record<string, number> };
}

/** Receipts and payments by asset. Quantities of several assets have no scale in common, so none is drawn. */
export function FlowTotalsSection({ totals: { sent, received } }: FlowTotalsProps) {
  const texts = words().scan;
  const assets = [...new Set([...Object.keys(received), ...Object.keys(sent)])];
  const side = (title: string, amounts: Record<string, number>) => {
    const fraction = fractionOf(Object.values(amounts));
    return {
      title,
      cell: (asset: string) => (amounts[asset] ? <DecimalText value={amounts[asset]} fraction={fraction} /> : null),
      numeric: true,
    };
  };
  return (
    <section class="card" aria-labelledby="flow-totals">
      <h2 id="flow-totals">{texts.flows}</h2>
      <Table
        caption={texts.flows}
        rows={assets}
        keyOf={(asset) => asset}
        empty={texts.noFlows}
        columns={[
          { title: words().profile.asset, cell: (asset) => asset },
          side(texts.received, received),
          side(texts.sent, sent),
        ]}
      />
      {assets.length > 0 && <p class="muted">{texts.flowNote}</p>}
    </section>
  );
}
