import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';

/** Bounds of the own transfers of a subject that are followed, epoch ms, inclusive; default: none. */
export interface FollowedSpan {
  from?: number;
  to?: number;
}

/** Which of a subject's own transfers are followed; an absent field admits all. */
export interface FollowedTransfers extends FollowedSpan {
  /** Symbol or token contract. */
  asset?: string;
  minUsd?: number;
  /** Hash of the one payment that is followed, in upper or lower case. */
  txHash?: string;
}

/** Tests if one of the own transfers of the subject is followed; undefined where all are. */
export function followsOnly({
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
  asset,
  minUsd = 0,
  txHash,
}: FollowedTransfers): ((transfer: TracedTransfer) => boolean) | undefined {
  const isInAnySpan = from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY;
  if (isInAnySpan && asset === undefined && minUsd <= 0 && txHash === undefined) return undefined;
  return (transfer) =>
    transfer.at >= from &&
    transfer.at <= to &&
    transfer.usd >= minUsd &&
    (asset === undefined || isOfAsset(transfer, asset)) &&
    (txHash === undefined || isIn(transfer, txHash));
}

export function isOfAsset({ asset, assetId }: TracedTransfer, named: string): boolean {
  const folded = named.toUpperCase();
  return asset.toUpperCase() === folded || assetId.toUpperCase() === folded;
}

export function isIn({ txHash }: TracedTransfer, named: string): boolean {
  return txHash.toLowerCase() === named.toLowerCase();
}
