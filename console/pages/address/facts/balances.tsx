import { chainName } from '../../../../src/domain/chain.ts';
import { words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { DecimalText, fractionOf } from '../../../parts/decimal-text.tsx';
import { MomentText } from '../../../parts/moment-text.tsx';
import { Table } from '../../../parts/table.tsx';
import type { AddressProfile } from '../../../service/tracing-answers.ts';

interface BalancesProps {
  balances: AddressProfile['balances'];
  /** True for a holder: each row names its address. */
  ofHolder: boolean;
}

/** Lists what the chain said that is held, each with the moment at which it did. */
export function Balances({ balances, ofHolder }: BalancesProps) {
  const texts = words().profile;
  const fraction = fractionOf(balances.map(({ amount }) => Number(amount)));
  return (
    <Table
      caption={texts.balances}
      rows={balances}
      keyOf={(one) => `${one.chain} ${one.address} ${one.asset}`}
      empty={texts.noBalances}
      columns={[
        ...(ofHolder
          ? [
              {
                title: words().parts.address,
                cell: ({ chain, address }: AddressProfile['balances'][number]) => (
                  <>
                    <AddressText chain={chain} address={address} /> <span class="muted">{chainName(chain)}</span>
                  </>
                ),
              },
            ]
          : []),
        { title: texts.asset, cell: (one) => one.asset },
        {
          title: words().parts.amount,
          cell: (one) => <DecimalText value={Number(one.amount)} fraction={fraction} />,
          numeric: true,
        },
        { title: texts.statedAt, cell: (one) => <MomentText at={one.at} /> },
      ]}
    />
  );
}
