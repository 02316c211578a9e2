import type { StatedFreezes } from '../chains/port.ts';
import type { Chain, ChainAddress } from '../domain/chain.ts';
import type { FrozenAsset } from '../domain/fields.ts';
import { isValidAt, type Label } from '../domain/label.ts';
import { iso } from '../domain/time.ts';
import {
  FREEZE_REPORT,
  FREEZE_SOURCES,
  type FrozenToken,
  freezingIssuer,
  statesFreezes,
} from '../domain/tokens/issuer-freeze.ts';
import { sourceFamily } from './label-order.ts';
import type { LabelStore } from './label-store.ts';

/**
 * Keeps what a reading found frozen as labels, and ends those of what it found free. A token of which nothing was stated keeps its
 * label: the holder of a frozen address could make a reading ask for others.
 */
export async function keepFreezes(
  labels: LabelStore,
  { chain, address }: ChainAddress,
  { frozen = [], unfrozen = [] }: StatedFreezes,
  now: number,
): Promise<void> {
  if (frozen.length === 0 && unfrozen.length === 0) return;
  const known = ((await labels.find(chain, [address])).get(address) ?? []).filter(
    (label) => label.chain === chain && sourceFamily(label.source) === FREEZE_SOURCES.stated && label.validTo === null,
  );
  const stated = frozen.flatMap(({ token, since }) => freezeLabel(chain, address, { token, since }) ?? []);
  const isSame = (a: Label) => (b: Label) => a.source === b.source && a.category === b.category;
  const free = unfrozen === 'others' ? null : new Set(unfrozen.map((token) => sourceOf(chain, token)));
  const ended = known.filter((label) => !stated.some(isSame(label)) && (free === null || free.has(label.source)));
  const changed = [
    ...stated.filter((label) => !known.some(isSame(label))),
    ...ended.map((label) => ({ ...label, validTo: now })),
  ];
  if (changed.length > 0) await labels.put(changed, { stamp: await labels.beginLoad(), list: false });
}

function freezeLabel(chain: Chain, address: string, { token, since }: FrozenToken): Label | null {
  const known = freezingIssuer(chain, token);
  const source = sourceOf(chain, token);
  if (known === null || source === null) return null;
  return {
    chain,
    address,
    ...FREEZE_REPORT,
    label: `Frozen by ${known.issuer} (${known.symbol})`,
    source,
    entity: null,
    validFrom: since,
    validTo: null,
    maliciousContract: false,
  };
}

/** The source of the label of a token; null for a token of no known issuer. */
function sourceOf(chain: Chain, token: string): string | null {
  const known = freezingIssuer(chain, token);
  return known && `${FREEZE_SOURCES.stated}:${known.symbol} ${chain}`;
}

/** Returns what issuers keep frozen at an address at a moment, by its labels: each token once, since the first day that is known. */
function frozenAssets(labels: readonly Label[], at: number): FrozenAsset[] {
  const byAsset = new Map<string, FrozenAsset>();
  for (const label of labels) {
    const { source, validFrom } = label;
    if (!isValidAt(label, at) || !statesFreezes(source)) continue;
    const asset = source.slice(source.indexOf(':') + 1).split(' ')[0] ?? '';
    const since = validFrom === null ? null : iso(validFrom);
    const known = byAsset.get(asset);
    const isFirst = known === undefined || (since !== null && (known.since === null || since < known.since));
    if (isFirst) byAsset.set(asset, { asset, since, source });
  }
  return [...byAsset.values()];
}

/** Returns the fields of an answer about one address: none where nothing is frozen. */
export function frozenFields(
  labels: readonly Label[],
  at: number,
): { frozen_since?: string | null; frozen?: FrozenAsset[] } {
  const frozen = frozenAssets(labels, at);
  if (frozen.length === 0) return {};
  const days = frozen.flatMap(({ since }) => since ?? []).sort();
  return { frozen_since: days[0] ?? null, frozen };
}
