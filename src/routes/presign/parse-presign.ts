import type { Language } from '../../../words/language.ts';
import { canonicalAddress } from '../../domain/address/address.ts';
import { plainDecimal } from '../../domain/amount.ts';
import { decodeCalldata } from '../../domain/calldata/calldata.ts';
import { type Chain, isChain, NATIVE_COIN } from '../../domain/chain.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import type { PresignQuestion } from '../../questions/presign/check-presign.ts';

/** As the caller sent it. */
export interface PresignRequest {
  chain: string;
  to: string;
  value?: string;
  /** Calldata; `calldata` counts where it is missing or empty. */
  data?: string;
  calldata?: string;
  spender?: string;
  signer?: string;
  asset?: string;
  lang?: Language;
}

/** Throws InvalidInputError for a malformed address of a supported chain. */
export function parsePresign(request: PresignRequest): PresignQuestion {
  const { lang = 'en' } = request;
  const chain = request.chain.trim();
  if (!isChain(chain)) return { unsupported: chain || request.chain, to: request.to, lang };
  const address = (text: string | undefined) => (text?.trim() ? parseAddress(text, chain).address : null);
  const { address: to } = parseAddress(request.to, chain);
  const data = [request.data, request.calldata].map((text) => text?.trim() ?? '').find((text) => !isNothing(text));
  return {
    chain,
    to,
    spender: address(request.spender),
    signer: address(request.signer),
    asset: assetAddress(chain, request.asset),
    carriesValue: carriesValue(request.value),
    coins: coinsOf(chain, request.value),
    lang,
    calldata: data === undefined ? null : decodeCalldata(chain, data, to),
  };
}

function isNothing(calldata: string): boolean {
  return calldata === '' || /^0x$/i.test(calldata);
}

/** The contract, mint or issuer (`CURRENCY.issuer`) of the asset; null for a symbol or `native`. */
function assetAddress(chain: Chain, asset: string | undefined): string | null {
  return canonicalAddress(chain, asset?.split('.').at(-1) ?? '')?.address ?? null;
}

/** False only for an amount that is certainly zero; one that cannot be read may be some. */
function carriesValue(value: string | undefined): boolean {
  const text = value?.trim() ?? '';
  if (text === '' || /^0x0*$/i.test(text)) return false;
  return plainDecimal(text) !== '0';
}

/** Whole coins of an amount in the smallest unit; null where it cannot be read, as of `-1` or `0.5` units. */
function coinsOf(chain: Chain, value: string | undefined): number | null {
  const text = value?.trim() ?? '';
  const units = /^0x[0-9a-f]{1,64}$/i.test(text) ? String(BigInt(text)) : plainDecimal(text);
  return units === null || !/^\d+$/.test(units) ? null : Number(units) / 10 ** NATIVE_COIN[chain].decimals;
}
