import { type AddressLabel, type Category, isDex, STOP_CATEGORIES } from '../../../domain/label.ts';
import { type Replay, type ReplayHistory, replayOf } from '../replay.ts';
import type { ReplayStep } from '../replay-step.ts';
import { type TraderKind, traderKind } from '../swaps.ts';

export interface RolesOptions {
  labelOf: (address: string) => AddressLabel;
  /** The protocol of a known contract of a bridge; null for all others. */
  bridgeOf: (address: string) => string | null;
  /** True where the money goes on through a labelled address all the same; default: through none. */
  goesOn?: ((address: string) => boolean) | undefined;
  /** Replays by address. The two traces of one question share them, since most addresses are on both sides. */
  replays: Map<string, Replay>;
}

/** Says what an address is to a trace: an end of money, a side of swaps, a depositor; and replays it accordingly. */
export class AddressRoles {
  readonly labelOf: RolesOptions['labelOf'];
  readonly bridgeOf: RolesOptions['bridgeOf'];
  private readonly goesOn: RolesOptions['goesOn'];
  private readonly replays: RolesOptions['replays'];
  private readonly subjects: ReadonlySet<string>;

  constructor(subjects: ReadonlySet<string>, { labelOf, bridgeOf, goesOn, replays }: RolesOptions) {
    this.subjects = subjects;
    this.labelOf = labelOf;
    this.bridgeOf = bridgeOf;
    this.goesOn = goesOn;
    this.replays = replays;
  }

  /** Returns the category by which money ends at the address; null for none. */
  serviceOf(address: string): Category | null {
    if (this.goesOn?.(address)) return null;
    const { category } = this.labelOf(address);
    return category !== null && STOP_CATEGORIES.includes(category) ? category : null;
  }

  replayOf(address: string, opened: ReplayHistory): Replay {
    const { replays } = this;
    const known = replays.get(address);
    if (known) return known;
    const replay = replayOf(
      opened,
      (key) => this.traderOf(key),
      (key) => this.isExchange(key),
      {
        isDepositor: (key) => this.isDepositorAt(address, key),
        isOwnContract: (key) => this.isStrategyOf(address, key),
        isContract: this.labelOf(address).isContract === true,
      },
    );
    replays.set(address, replay);
    return replay;
  }

  /** Replays the transactions in which the address gave and got: its trades do not depend on the others. */
  tradesOf({ received, sent, ...history }: ReplayHistory): ReplayStep[] {
    const got = new Set(received.map(({ txHash }) => txHash));
    const given = sent.filter(({ txHash }) => got.has(txHash));
    if (given.length === 0) return [];
    const both = new Set(given.map(({ txHash }) => txHash));
    const traded = { ...history, received: received.filter(({ txHash }) => both.has(txHash)), sent: given };
    return replayOf(
      traded,
      (key) => this.traderOf(key),
      (key) => this.isExchange(key),
    ).steps;
  }

  /** True where money ends whatever else is known of the address. */
  isEnd(address: string): boolean {
    return this.serviceOf(address) !== null || this.bridgeOf(address) !== null;
  }

  isExchange(address: string): boolean {
    return isDex(this.serviceOf(address));
  }

  traderOf(key: string): TraderKind {
    // What an address hands back to the subject is the subject's own money, whatever it got in return.
    if (this.subjects.has(key)) return 'none';
    return this.bridgeOf(key) === null ? traderKind(key, this.labelOf(key)) : 'none';
  }

  /** True where a party may have an account at the address: no known wallet, and the party no service, whose money is that of many. */
  private isDepositorAt(address: string, key: string): boolean {
    if (this.labelOf(address).isContract === false || this.bridgeOf(key) !== null) return false;
    return ['any', 'contract'].includes(traderKind(key, this.labelOf(key)));
  }

  /** True where both are contracts, the other one of no service: a vault may have lent to it. */
  private isStrategyOf(address: string, key: string): boolean {
    const { labelOf, bridgeOf } = this;
    if (!labelOf(address).isContract || !labelOf(key).isContract || bridgeOf(key) !== null) return false;
    return ['any', 'contract', 'trader'].includes(traderKind(key, labelOf(key))) && !this.isExchange(key);
  }
}
