import { count } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';

interface FlowTotalsProps {
  totals: { sent: Record<string, number>; received: Record<string, number> };
}

const WIDTH = 300;
const ASSETS_MAX = 8;

/** Draws receipts and payments, one pair of bars for each asset. */
export function FlowTotalsSection({ totals: { sent, received } }: FlowTotalsProps) {
  const texts = words().scan;
  const assets = [...new Set([...Object.keys(received), ...Object.keys(sent)])];
  return (
    <section class="card" aria-labelledby="flow-totals">
      <h2 id="flow-totals">{texts.flows}</h2>
      <p class="muted">{assets.length > 0 ? texts.flowNote : texts.noFlows}</p>
      {assets.slice(0, ASSETS_MAX).map((asset) => (
        <div key={asset} class="flow-pair">
          <h3>{asset}</h3>
          <Bar name={texts.received} kind="received" value={received[asset] ?? 0} most={most(asset)} />
          <Bar name={texts.sent} kind="sent" value={sent[asset] ?? 0} most={most(asset)} />
        </div>
      ))}
    </section>
  );

  function most(asset: string): number {
    return Math.max(received[asset] ?? 0, sent[asset] ?? 0);
  }
}

function Bar({ name, kind, value, most }: { name: string; kind: string; value: number; most: number }) {
  return (
    <div class="flow-bar">
      <span>{name}</span>
      <svg viewBox={`0 0 ${WIDTH} 14`} preserveAspectRatio="none" aria-hidden="true">
        <rect class={`bar-${kind}`} width={most > 0 ? (WIDTH * value) / most : 0} height="14" rx="3" />
      </svg>
      <span class="numeric">{count(value)}</span>
    </div>
  );
}
