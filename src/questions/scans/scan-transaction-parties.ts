import { paragraph } from '../../../words/figures.ts';
import { fill } from '../../../words/fill.ts';
import type { Language } from '../../../words/language.ts';
import { WORDS } from '../../../words/words.ts';
import type { ChainTransaction } from '../../chains/port.ts';
import { canonicalAddress } from '../../domain/address/address.ts';
import { addAmounts } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import { isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';

interface Participant {
  address: string;
  role: 'from' | 'to';
  asset: string | null;
  /** Exact decimal; null where the account took part without a transfer. */
  amount: string | null;
}

export interface TransactionParties {
  /** Asset of the main transfer; null without one. */
  asset: string | null;
  amount: string | null;
  /** Canonical; null where the party has no address: newly mined coins, a party that cannot be named. */
  sender: string | null;
  receiver: string | null;
  participants: Participant[];
  note: string | null;
}

const PARTICIPANTS_MAX = 500;

/**
 * Returns who paid whom: the two ends of the main transfer, and everyone who took part, with what each gave or got in all.
 * A transaction without a transfer names its accounts, of which the first is the one that acted.
 */
export function transactionParties(chain: Chain, transaction: ChainTransaction, lang: Language): TransactionParties {
  const main = transaction.transfers[0];
  const paid = main ? fromTransfers(transaction) : [];
  const everyone = main && !isOtherType(chain, transaction) ? paid : [...paid, ...fromAccounts(transaction, paid)];
  const acting = transaction.accounts[0];
  return {
    asset: main?.asset ?? null,
    amount: main?.amount ?? null,
    sender: main ? addressOrNull(chain, main.from) : addressOrNull(chain, acting),
    receiver: addressOrNull(chain, main?.to),
    participants: everyone.slice(0, PARTICIPANTS_MAX),
    note: noteOf(chain, transaction, { participants: everyone.length, lang }),
  };
}

/** Newly mined coins, crowded transactions and contracts not yet created have names that are not addresses. */
function addressOrNull(chain: Chain, party: string | undefined): string | null {
  return party === undefined ? null : (canonicalAddress(chain, party)?.address ?? null);
}

function fromTransfers({ transfers, spent = [] }: ChainTransaction): Participant[] {
  const sums = new Map<string, Participant & { amount: string }>();
  const add = (address: string, role: 'from' | 'to', { asset, amount, token }: Moved) => {
    if (isCoinJoin(address)) return;
    const key = `${role} ${address} ${token ?? ''} ${asset}`;
    const known = sums.get(key);
    if (known) known.amount = addAmounts(known.amount, amount);
    else sums.set(key, { address, role, asset, amount });
  };
  const payer = transfers[0]!.from;
  // A call without value does not make its receiver a party: of a token transfer that would be the contract.
  const moved = transfers.filter(({ amount }) => /[1-9]/.test(amount));
  for (const asset of spent) add(payer, 'from', asset);
  for (const transfer of moved.length > 0 ? moved : transfers.slice(0, 1)) {
    // Who pays across currencies never held what arrived.
    if (spent.length === 0 || transfer.from !== payer) add(transfer.from, 'from', transfer);
    add(transfer.to, 'to', transfer);
  }
  return [...sums.values()];
}

type Moved = Pick<Transfer, 'asset' | 'amount' | 'token'>;

/** The XRP Ledger moves value by many types; of all but payments it is of interest whom they touched. */
function isOtherType(chain: Chain, { type }: ChainTransaction): boolean {
  return chain === 'xrp' && type !== 'Payment';
}

function fromAccounts({ accounts }: ChainTransaction, paid: readonly Participant[]): Participant[] {
  const named = new Set(paid.map(({ address }) => address));
  return accounts
    .map((address, n): Participant => ({ address, role: n === 0 ? 'from' : 'to', asset: null, amount: null }))
    .filter(({ address }) => !named.has(address));
}

function noteOf(
  chain: Chain,
  transaction: ChainTransaction,
  { participants, lang }: { participants: number; lang: Language },
): string | null {
  const words = WORDS[lang].transaction;
  const { status, transfers, type, destinationTag, spent, stated } = transaction;
  const main = transfers[0];
  const what = type ? fill(words.of_type, { type }) : words.no_asset;
  const sentences = [
    status === 'pending' && words.pending,
    status === 'failed' && words.failed,
    !main && fill(words.accounts, { what }),
    main && isOtherType(chain, transaction) && fill(words.balances, { what }),
    main?.apportioned && words.apportioned,
    transfers.some(({ to }) => isCoinJoin(to)) && words.coinjoin,
    spent?.length && words.delivered,
    stated && fill(words.partial_payment, { amount: stated.amount, asset: stated.asset }),
    destinationTag !== undefined && fill(words.destination_tag, { tag: destinationTag }),
    participants > PARTICIPANTS_MAX && fill(words.participants, { shown: PARTICIPANTS_MAX, count: participants }),
  ];
  return paragraph(sentences, lang);
}
