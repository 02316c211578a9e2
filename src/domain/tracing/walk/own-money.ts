import {
  type Direction,
  type FlowPortion,
  type HowReturned,
  isAllReturned,
  isPathOnly,
  nearEnd,
  type Returned,
  scaled,
  takeReturned,
} from '../flow-portion.ts';
import { type AccountSide, Accounts, type Listed } from '../own-money/accounts.ts';
import type { Replay } from '../replay.ts';
import type { EndReason } from './ends.ts';
import type { Findings, OpenedAddress } from './findings.ts';
import type { HaircutReplay } from './pass/haircut-replay.ts';
import type { Visits } from './visits.ts';

const STAKE: HowReturned = { isAccount: true, isStake: true };

/** An address that money passes, the subject itself included. */
export type PassedAddress = Listed & Pick<OpenedAddress, 'restitution'>;

interface Walk {
  direction: Direction;
  found: Findings;
  visits: Visits;
  historyOf: (address: string) => PassedAddress | undefined;
  passOf: (address: string) => HaircutReplay | undefined;
}

/**
 * Takes away from money that moved with a transfer what is its near end's own: what came back from a contract, or from who
 * had taken it. It goes on at the near end.
 */
export class OwnMoney {
  private readonly walk: Walk;
  private readonly accounts: Accounts;

  constructor(walk: Walk) {
    this.walk = walk;
    this.accounts = new Accounts(walk.historyOf, (key) => walk.found.traderOf(key));
  }

  /** Returns true where the near end dealt with a market on one side alone in that transaction. */
  isOneSided(carried: FlowPortion): boolean {
    return this.accounts.isOneSided(this.nearOf(carried), carried.transfer);
  }

  /** Returns true where the near end exchanged it with a contract for an asset without a price. */
  endsUnpriced(reason: EndReason, carried: FlowPortion): boolean {
    return this.accounts.endsUnpriced(reason, this.nearOf(carried), carried.transfer);
  }

  /** Takes away what the near end lost and got back; true where nothing else is left. */
  keepRestitution(address: string, carried: FlowPortion): boolean {
    const { direction, found, historyOf } = this.walk;
    const { restitution } = historyOf(this.nearOf(carried)) ?? {};
    if (!restitution) return false;
    if (direction === 'received' && restitution.unread.has(address)) found.toRead(address, carried);
    this.keep(address, carried, restitution.sides.get(carried.transfer.id) ?? [], { isAccount: false });
    return isAllReturned(carried);
  }

  /** Takes away what the near end took out of the contract again, or had put in. */
  keepInAccount(address: string, carried: FlowPortion, replay: Replay | null): void {
    if (carried.returned || isPathOnly(carried)) return;
    const others = this.accounts.otherSides(this.nearOf(carried), address, carried.transfer.id, replay);
    this.keep(address, carried, others, { isAccount: true });
  }

  /** Takes away stake of the near end's own that came back to it, or that it takes back later. */
  keepStake(address: string, carried: FlowPortion): void {
    if (carried.returned || isPathOnly(carried)) return;
    this.keep(address, carried, this.accounts.stakeSides(this.nearOf(carried), carried.transfer.id), STAKE);
  }

  private keep(address: string, carried: FlowPortion, others: readonly AccountSide[], how: HowReturned): void {
    const { isAccount } = how;
    if (others.length === 0 || isPathOnly(carried)) return;
    const { found, visits } = this.walk;
    const pass = this.walk.passOf(this.nearOf(carried));
    const { onto } = carried;
    const sides = others.flatMap((other): Returned[] => {
      if (onto === null) found.end(address, { ...carried, ...scaled(carried, other.part) }, 'own_money');
      const onward = onto && pass ? pass.goOn({ ...carried, onto }, other, how) : null;
      return onto === null || onward ? [{ part: other.part, isAccount, onward }] : [];
    });
    if (pass) visits.add(pass);
    takeReturned(carried, sides);
  }

  private nearOf({ transfer }: FlowPortion): string {
    return nearEnd(transfer, this.walk.direction);
  }
}
