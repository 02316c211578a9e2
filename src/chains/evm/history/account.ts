import type { z } from 'zod';
import { formatUnits } from '../../../domain/amount.ts';
import { NATIVE_COIN } from '../../../domain/chain.ts';
import type { AddressType, RequestOptions } from '../../port.ts';
import { checked } from '../../reply.ts';
import { bigDigits, hexData, quantity, smallQuantity } from '../format/fields.ts';
import { resultOf } from '../node/rpc.ts';
import type { EvmSources } from './sources.ts';

export interface EvmAccount {
  balance: string | null;
  type: AddressType;
  /** Transactions that the account itself sent; null where the source does not count them. */
  sent: number | null;
  /** True for a wallet that lends itself code: its count goes up without a transaction of its own. */
  isDelegated?: boolean;
}

const ACCOUNT_METHODS = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'];

/** Proxies of Safe multi-signature wallets answer `masterCopy()` before they delegate. */
const SAFE_PROXY = /7fa619486e0{56}/;
const SAFE_PROXY_LENGTH_MAX = 2_000;
/** A wallet that lends itself the code of a contract (EIP-7702) remains a wallet. */
const DELEGATED = /^0xef0100[0-9a-f]{40}$/;

/** Balance and kind of an account as of the newest block. */
export async function accountOf(sources: EvmSources, address: string, options?: RequestOptions): Promise<EvmAccount> {
  const { decimals } = NATIVE_COIN[sources.chain];
  if (sources.rpc) {
    const { attemptAll, endpoint } = sources.rpc;
    const calls = ACCOUNT_METHODS.map((method) => ({ method, params: [address, 'latest'] }));
    const outcomes = await attemptAll(calls, options);
    const read = <S extends z.ZodType>(place: number, shape: S) => {
      const method = ACCOUNT_METHODS[place]!;
      return checked(endpoint, shape, resultOf(endpoint, method, outcomes[place]!), method);
    };
    const [balance, sent, code] = [read(0, quantity), read(1, smallQuantity), read(2, hexData)];
    return { balance: formatUnits(balance, decimals), type: typeOfCode(code), sent, isDelegated: DELEGATED.test(code) };
  }
  const explorer = sources.explorer!;
  const outcome = await explorer.ask({ module: 'account', action: 'balance', address, tag: 'latest' }, options);
  const balance =
    'value' in outcome ? formatUnits(checked(explorer.endpoint, bigDigits, outcome.value, 'balance'), decimals) : null;
  const code =
    explorer.style === 'etherscan'
      ? await explorer.ask({ module: 'proxy', action: 'eth_getCode', address, tag: 'latest' }, options)
      : null;
  const type =
    code && 'value' in code ? typeOfCode(checked(explorer.endpoint, hexData, code.value, 'eth_getCode')) : 'unknown';
  return { balance, type, sent: null };
}

function typeOfCode(code: string): AddressType {
  if (code === '0x' || DELEGATED.test(code)) return 'wallet';
  return code.length < SAFE_PROXY_LENGTH_MAX && SAFE_PROXY.test(code) ? 'multisig' : 'contract';
}
