import { z } from 'zod';
import { blockTimeMs, txHashShape, units, whole } from '../reply.ts';
import { tronAddress } from './address.ts';

/** Replies of TronGrid v1 and of a full node. A number that is missing is 0: protobuf leaves out defaults. */

const txId = txHashShape('tron');
const count = units.default(0n);

const contractValue = z.object({
  owner_address: tronAddress.optional(),
  to_address: tronAddress.optional(),
  contract_address: tronAddress.optional(),
  receiver_address: tronAddress.optional(),
  account_address: tronAddress.optional(),
  amount: count,
  /** Text in lists. Seven digits in hex are an id, not a name. */
  asset_name: z
    .string()
    .max(128)
    .transform((name) => (/^\d{7}$/.test(textOfHex(name)) ? textOfHex(name) : name))
    .optional(),
  call_value: count,
  call_token_value: count,
  token_id: z.union([whole.transform(String), z.string().max(32)]).optional(),
  data: z.string().optional(),
  new_contract: z.object({ call_value: count }).optional(),
});

/** Value from a full node that was asked for hex: the id of an asset, or the name of one from before there were ids, as bytes. */
const nodeValue = contractValue.extend({
  asset_name: z.string().max(128).transform(textOfHex).optional(),
});

function textOfHex(hex: string): string {
  const text = /^(?:[0-9a-f]{2})+$/i.test(hex) ? Buffer.from(hex, 'hex').toString('latin1') : hex;
  return /^[\x21-\x7e]+$/.test(text) ? text : hex;
}

const bodyOf = <Value extends z.ZodType>(value: Value) => ({
  txID: txId,
  ret: z.array(z.object({ contractRet: z.string().optional(), fee: count })).default([]),
  raw_data: z.object({
    contract: z.array(z.object({ type: z.string().max(64), parameter: z.object({ value }) })).min(1),
    /** The sender's memo. */
    data: z
      .string()
      .regex(/^(?:[0-9a-fA-F]{2})*$/)
      .optional()
      .catch(undefined),
  }),
});

/** A transaction as a full node gives it; its block is in the transaction info. */
export const nodeTransaction = z.object(bodyOf(nodeValue));

export const listedTransaction = z.object({
  ...bodyOf(contractValue),
  /** TronGrid does not name it for transactions before 2020. */
  blockNumber: whole.optional(),
  block_timestamp: blockTimeMs,
  net_fee: count,
  energy_fee: count,
  /** Sun, where the list states it. */
  withdraw_amount: units.optional(),
});

/** Names the step of the machine that it records, as text or in hex. */
const note = z.string().max(128).transform(textOfHex).optional().catch(undefined);

export const listedInternal = z.object({
  internal_tx_id: z.string().regex(/^[0-9a-fA-F]{16,64}$/),
  tx_id: txId,
  block_timestamp: blockTimeMs,
  from_address: tronAddress,
  to_address: tronAddress,
  data: z.object({
    note,
    rejected: z.boolean().default(false),
    /** `_` is TRX, other keys are TRC-10 ids. */
    call_value: z.record(z.string().max(32), units).default({}),
  }),
});

export const listedToken = z.object({
  transaction_id: txId,
  token_info: z.object({
    address: tronAddress.optional(),
    symbol: z.string().nullish(),
    decimals: z.union([whole, z.null()]).optional(),
  }),
  block_timestamp: blockTimeMs,
  from: tronAddress,
  to: tronAddress,
  type: z.string(),
  value: units,
});

export const listedEvent = z.object({
  transaction_id: txId,
  block_number: whole,
  block_timestamp: blockTimeMs,
  contract_address: tronAddress,
  event_name: z.string(),
  event_index: whole.optional(),
  result: z.record(z.string(), z.union([z.string(), z.number().transform(String)])),
});

export const transactionInfo = z.object({
  id: txId,
  fee: count,
  blockNumber: whole,
  blockTimeStamp: blockTimeMs,
  result: z.string().optional(),
  /** Sun: the rewards that a WithdrawBalanceContract took. */
  withdraw_amount: count,
  receipt: z.object({ result: z.string().optional() }).default({}),
  log: z
    .array(
      z.object({
        address: tronAddress,
        topics: z.array(z.string().regex(/^[0-9a-fA-F]{64}$/)).default([]),
        data: z
          .string()
          .regex(/^[0-9a-fA-F]*$/)
          .default(''),
      }),
    )
    .default([]),
  internal_transactions: z
    .array(
      z.object({
        hash: z.string().regex(/^[0-9a-fA-F]{16,64}$/),
        caller_address: tronAddress,
        transferTo_address: tronAddress,
        callValueInfo: z
          .array(
            z.object({ callValue: count, tokenId: z.union([whole.transform(String), z.string().max(32)]).optional() }),
          )
          .default([]),
        note,
        rejected: z.boolean().default(false),
      }),
    )
    .default([]),
});

const frozen = z.object({ frozen_balance: count });
const permission = z.object({ threshold: whole.default(1), keys: z.array(z.unknown()).default([]) });
export const tronAccountShape = z.object({
  address: tronAddress.optional(),
  balance: count,
  type: z.union([z.string(), z.number().transform(String)]).optional(),
  owner_permission: permission.optional(),
  active_permission: z.array(permission).default([]),
  /** Frozen in the first form of staking, in the second, and on the way back; delegated TRX is in neither. */
  frozen: z.array(frozen).default([]),
  frozenV2: z.array(z.object({ amount: count })).default([]),
  unfrozenV2: z.array(z.object({ unfreeze_amount: count })).default([]),
  tron_power: frozen.optional(),
  delegated_frozen_balance_for_bandwidth: count,
  delegated_frozenV2_balance_for_bandwidth: count,
  account_resource: z
    .object({
      frozen_balance_for_energy: frozen.optional(),
      delegated_frozen_balance_for_energy: count,
      delegated_frozenV2_balance_for_energy: count,
    })
    .optional(),
  /** TRC-10 tokens by their ids, in smallest units. */
  assetV2: z.array(z.object({ key: z.string().max(32), value: count })).default([]),
});

export type TronNodeTransaction = z.output<typeof nodeTransaction>;
export type ListedTransaction = z.output<typeof listedTransaction>;
export type ListedInternal = z.output<typeof listedInternal>;
export type ListedToken = z.output<typeof listedToken>;
export type ListedEvent = z.output<typeof listedEvent>;
export type TransactionInfo = z.output<typeof transactionInfo>;
export type TronAccount = z.output<typeof tronAccountShape>;

const hexBytes = z.string().regex(/^(?:[0-9a-f]{2})*$/);

/** A block with addresses in hex, as its bytes hold them. */
export const provenBlock = z
  .object({
    blockID: txId,
    block_header: z
      .object({
        raw_data: z.object({
          timestamp: whole,
          txTrieRoot: hexBytes,
          parentHash: hexBytes,
          number: whole,
          witness_id: whole.optional(),
          witness_address: hexBytes,
          version: whole.optional(),
          accountStateRoot: hexBytes.optional(),
        }),
      })
      .transform(({ raw_data }) => raw_data),
    transactions: z
      .array(
        z.object({
          txID: txId,
          raw_data_hex: hexBytes,
          signature: z.array(hexBytes).default([]),
          ret: z
            .array(z.object({ fee: whole.optional(), ret: z.string().optional(), contractRet: z.string().optional() }))
            .default([]),
        }),
      )
      .default([]),
  })
  .transform(({ block_header, ...block }) => ({ ...block, header: block_header }));
