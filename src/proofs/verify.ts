import { z } from 'zod';
import { type ChainFamily, chainFamily, isChain } from '../domain/chain.ts';
import { type BitcoinProof, verifyBitcoin } from './bitcoin.ts';
import { type EvmProof, verifyEvm } from './evm.ts';
import { demand, NOT_PROVED, ProofError, type ProofFault, type ProvenTransfer } from './proof.ts';
import { type TronProof, verifyTron } from './tron.ts';
import { verifyXrp, type XrpProof } from './xrp.ts';

export type AnyProof = BitcoinProof | EvmProof | TronProof | XrpProof;

const hex = z.string().regex(/^(?:[0-9a-f]{2})+$/);
const branch = z
  .object({
    value: hex.describe('The leaf'),
    nodes: z.array(hex).max(64).describe('From the root of the trie to the leaf'),
  })
  .meta({ id: 'TrieBranch' });
const header = hex.describe('Header of the block as the chain digests it');
const transfers = z.array(
  z
    .object({
      from: z.string().nullable().describe('Null where the transaction does not name who pays'),
      to: z.string().describe('Who is paid; of a script without an address `script:` and its digest'),
      amount_raw: z.string().describe('In the smallest unit; of an issued XRP Ledger asset as the ledger writes it'),
      token: z.string().nullable().describe("Null for the chain's own coin"),
    })
    .meta({ id: 'ProvenTransfer' }),
);
const common = {
  chain: z.string().describe('Identifier of the chain'),
  tx_hash: z.string().describe('Hash of the transaction'),
  block_hash: z.string().describe('Any public node or explorer confirms it'),
  height: z.int().describe('Height of the block'),
  proves: transfers.describe("Movements that the transaction's own bytes state"),
  not_proved: z
    .array(z.enum(Object.keys(NOT_PROVED) as [keyof typeof NOT_PROVED]))
    .describe('What the header of a block cannot show'),
};

/** A proof as it is kept and sent. */
export const ProofSchema = z
  .discriminatedUnion('kind', [
    z
      .object({
        ...common,
        kind: z
          .literal('merkle_branch')
          .describe('Bitcoin: the branch to the root in the header, and its proof of work'),
        data: z
          .object({
            transaction: hex.describe('Without witnesses'),
            branch: z.array(hex).max(20).describe('Hashes beside the way to the root'),
            position: z.int().min(0).describe('Place in the block'),
            header,
          })
          .describe('Hex')
          .meta({ id: 'MerkleBranchProofData' }),
      })
      .meta({ id: 'MerkleBranchProof' }),
    z
      .object({
        ...common,
        kind: z.literal('tries').describe('EVM: transaction and receipt in the two tries of the block'),
        data: z
          .object({
            header,
            index: z.int().min(0).describe('Place in the block'),
            transaction: branch.describe('In the trie of transactions'),
            receipt: branch.describe('In the trie of receipts'),
          })
          .describe('Hex')
          .meta({ id: 'TriesProofData' }),
      })
      .meta({ id: 'TriesProof' }),
    z
      .object({
        ...common,
        kind: z.literal('ledger_tree').describe('XRP Ledger: transaction and metadata in the tree of the ledger'),
        data: z
          .object({
            header,
            transaction: hex.describe('As signed'),
            metadata: hex.describe('Outcome of the transaction'),
            nodes: z.array(hex).max(64).describe('The 16 children of each node from the root on'),
          })
          .describe('Hex')
          .meta({ id: 'LedgerTreeProofData' }),
      })
      .meta({ id: 'LedgerTreeProof' }),
    z
      .object({
        ...common,
        kind: z.literal('transaction_tree').describe('TRON: transaction with its outcome in the tree of the block'),
        data: z
          .object({
            header,
            transaction: hex.describe('As the block holds it, with signatures and outcome'),
            branch: z.array(hex).max(20).describe('Hashes beside the way to the root'),
            position: z
              .int()
              .min(0)
              .describe('A bit for each of them, the lowest first: 1 where it stands on the left'),
          })
          .describe('Hex')
          .meta({ id: 'TransactionTreeProofData' }),
      })
      .meta({ id: 'TransactionTreeProof' }),
  ])
  .meta({ id: 'TransactionProof' });

/** Shows what a proof's own bytes state. ProofError where they lead to another transaction or block. */
export function shownBy(proof: AnyProof): { proves: ProvenTransfer[]; not_proved: (keyof typeof NOT_PROVED)[] } {
  return { proves: transfersIn(proof), not_proved: [...OPEN[proof.kind], 'price', 'label'] };
}

/** Left open by each kind, beside prices and labels. */
const OPEN: Record<AnyProof['kind'], (keyof typeof NOT_PROVED)[]> = {
  merkle_branch: ['sender', 'height'],
  tries: ['internal_call'],
  ledger_tree: [],
  transaction_tree: ['internal_call', 'token_events'],
};

/** Checks a proof of unknown origin and what it states. Returns why it does not hold; null where all of it holds. */
export function faultOf(given: unknown): ProofFault | null {
  try {
    const read = ProofSchema.safeParse(given);
    demand(read.success, 'malformed');
    const { proves, not_proved } = shownBy(read.data);
    const same = JSON.stringify([proves, not_proved]) === JSON.stringify([read.data.proves, read.data.not_proved]);
    return same ? null : 'other_transfers';
  } catch (error) {
    // A decoder stumbled: these bytes prove nothing.
    return error instanceof ProofError ? error.fault : 'malformed';
  }
}

function transfersIn(proof: AnyProof): ProvenTransfer[] {
  demand(isChain(proof.chain) && KINDS[chainFamily(proof.chain)] === proof.kind, 'other_chain');
  if (proof.kind === 'merkle_branch') return verifyBitcoin(proof);
  if (proof.kind === 'transaction_tree') return verifyTron(proof);
  return proof.kind === 'tries' ? verifyEvm(proof) : verifyXrp(proof);
}

const KINDS: Partial<Record<ChainFamily, AnyProof['kind']>> = {
  bitcoin: 'merkle_branch',
  evm: 'tries',
  tron: 'transaction_tree',
  xrp: 'ledger_tree',
};
