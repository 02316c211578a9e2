import { z } from 'zod';
import { type ChainFamily, chainFamily, isChain } from '../domain/chain.ts';
import { BitcoinProofSchema, verifyBitcoin } from './bitcoin.ts';
import { EvmProofSchema, verifyEvm } from './evm.ts';
import { demand, type NOT_PROVED, ProofError, type ProofFault, type ProvenTransfer } from './proof.ts';
import { TronProofSchema, verifyTron } from './tron.ts';
import { verifyXrp, XrpProofSchema } from './xrp.ts';

/** A proof as it is kept and sent. */
export const ProofSchema = z
  .discriminatedUnion('kind', [BitcoinProofSchema, EvmProofSchema, XrpProofSchema, TronProofSchema])
  .meta({ id: 'TransactionProof' });
export type AnyProof = z.output<typeof ProofSchema>;

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
