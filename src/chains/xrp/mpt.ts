import { formatUnits } from '../../domain/amount.ts';
import { assetName } from '../../domain/tokens/token.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type { RequestOptions } from '../port.ts';
import { isMpt } from './asset.ts';
import type { XrpRpc } from './rpc.ts';

interface Facts {
  decimals: number;
  ticker: string;
}

export interface XrpMptFacts {
  /** Sets amount, decimals and name of the multi-purpose tokens among the transfers; what is gone stays raw. */
  complete(transfers: Transfer[], options?: RequestOptions): Promise<Transfer[]>;
}

const CACHED_MAX = 10_000;

/** Decimals and names of multi-purpose tokens, asked for once: an issuance never changes them. */
export function xrpMptFacts(rpc: XrpRpc): XrpMptFacts {
  const known = new Map<string, Facts | null>();

  async function factsOf(token: string, options?: RequestOptions): Promise<Facts | null> {
    const cached = known.get(token);
    if (cached !== undefined) return cached;
    const issuance = await rpc.issuance(token, options);
    const facts = issuance && { decimals: issuance.AssetScale, ticker: tickerOf(issuance.MPTokenMetadata) };
    if (known.size < CACHED_MAX) known.set(token, facts);
    return facts;
  }

  return {
    async complete(transfers, options) {
      const completed: Transfer[] = [];
      for (const transfer of transfers) {
        const facts = isMpt(transfer.token) ? await factsOf(transfer.token!, options) : null;
        completed.push(facts ? withFacts(transfer, facts) : transfer);
      }
      return completed;
    },
  };
}

function withFacts(transfer: Transfer, { decimals, ticker }: Facts): Transfer {
  const amount = formatUnits(BigInt(transfer.amountRaw ?? '0'), decimals);
  return { ...transfer, amount, decimals, asset: assetName('xrp', transfer.token, ticker) };
}

/** XLS-89 metadata is hex of JSON with `ticker`, in its short form `t`; anything else is just an MPT. */
function tickerOf(metadata: string | undefined): string {
  const text = Buffer.from(metadata ?? '', 'hex').toString('utf8');
  const match = /"(?:ticker|t)"\s*:\s*"([A-Za-z0-9]{1,20})"/.exec(text);
  return match?.[1] ?? 'MPT';
}
