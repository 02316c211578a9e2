import type { Context } from '../../../context.ts';
import type { Chain } from '../../../domain/chain.ts';
import { addressKey } from '../../../graph/address-key.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { accountPolicy } from '../bridge-matches/account-policy.ts';
import { readByAccount } from '../own-readings.ts';
import { type FundsRequest, getFunds } from './get-funds.ts';

type Asked = Omit<FundsRequest, 'keys' | 'readBy' | 'policy'>;

/** The account of the money of one address (canonical). Throws GraphError or ShapeError. */
export async function getAddressFunds(
  ctx: Pick<Context, 'graph' | 'labels' | 'now' | 'config' | 'bridges' | 'records'>,
  { accountId }: Pick<Tenant, 'accountId'>,
  { chain, address, ...asked }: Asked & { chain: Chain; address: string },
) {
  const policy = await accountPolicy(ctx, accountId);
  const readBy = readByAccount(ctx, accountId);
  const found = await getFunds(ctx, { ...asked, keys: [addressKey(chain, address)], policy, readBy });
  return { address, chain, ...found };
}
