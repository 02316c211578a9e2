import { addAmounts } from '../../../../../src/domain/amount.ts';
import { NATIVE_COIN } from '../../../../../src/domain/chain.ts';
import { assetText, count, dollars } from '../../../../browser/figures.ts';
import { words } from '../../../../browser/words.ts';
import type { Desk } from '../../../../desk/desk.ts';
import { Table } from '../../../../parts/table.tsx';
import { nodeKey } from '../../../../scene/additions.ts';
import type { OpenedTransaction } from '../../../../service/tracing-answers.ts';
import { AddressButton } from './address-buttons.tsx';

interface PartsProps {
  desk: Desk;
  answer: OpenedTransaction;
}

/** Inputs and outputs of a Bitcoin transaction, and the sum that they make with the fee. */
export function CoinTables({ desk, answer }: PartsProps) {
  const texts = words().canvas.opened;
  const { inputs, outputs, fee, unlisted, chain } = answer;
  const coin = NATIVE_COIN[chain].symbol;
  // To the last satoshi, so that a reader can add them up.
  const inCoin = (amount: string) => `${count(Number(amount))} ${coin}`;
  const sumOf = (coins: OpenedTransaction['inputs'], rest: OpenedTransaction['unlisted']['inputs']) =>
    inCoin((coins ?? []).reduce((sum, { amount }) => addAmounts(sum, amount), rest?.amount ?? '0'));
  const sides = [
    { title: texts.inputs, coins: (inputs ?? []).map((one) => ({ ...one, part: null })), rest: unlisted.inputs },
    { title: texts.outputs, coins: outputs ?? [], rest: unlisted.outputs },
  ];
  return (
    <>
      {sides.map(({ title, coins, rest }) => (
        <div key={title}>
          <h3>
            {title} <span class="muted">{count(coins.length + (rest?.count ?? 0))}</span>
          </h3>
          <Table
            caption={title}
            rows={coins.map((one, n) => ({ ...one, n }))}
            keyOf={({ n }) => String(n)}
            empty={texts.mined}
            columns={[
              {
                title: words().investigate.address,
                cell: ({ address, part }) => (
                  <>
                    <Party desk={desk} answer={answer} address={address} />{' '}
                    {part !== null && part !== 'payment' && <span class="mark">{texts.parts[part]}</span>}
                  </>
                ),
              },
              { title: words().canvas.amount, cell: ({ amount }) => inCoin(amount), numeric: true },
              { title: 'USD', cell: ({ usd }) => dollars(usd), numeric: true },
            ]}
          />
          {rest && <p class="muted">{texts.more(rest.count, inCoin(rest.amount))}</p>}
        </div>
      ))}
      {fee && (
        <p>{texts.sumSays(sumOf(inputs, unlisted.inputs), sumOf(outputs, unlisted.outputs), inCoin(fee.amount))}</p>
      )}
    </>
  );
}

/** The transfers between accounts in their own order, and the fee. */
export function TransferList({ desk, answer }: PartsProps) {
  const texts = words().canvas.opened;
  const { transfers, fee, unlisted } = answer;
  const rows = (transfers ?? []).map((one, n) => ({ ...one, n }));
  return (
    <>
      <h3>
        {texts.transfers} <span class="muted">{count(rows.length + unlisted.transfers)}</span>
      </h3>
      <Table
        caption={texts.transfers}
        rows={rows}
        keyOf={({ n }) => String(n)}
        empty={words().canvas.noHits}
        columns={[
          {
            title: words().investigate.from,
            cell: ({ from }) => <Party desk={desk} answer={answer} address={from} />,
          },
          { title: words().investigate.to, cell: ({ to }) => <Party desk={desk} answer={answer} address={to} /> },
          {
            title: words().canvas.amount,
            cell: ({ amount, asset, kind }) => (
              <>
                {assetText(`${amount} ${asset}`)} <span class="muted">{texts.kinds[kind]}</span>
              </>
            ),
            numeric: true,
          },
          { title: 'USD', cell: ({ usd }) => dollars(usd), numeric: true },
        ]}
      />
      {unlisted.transfers > 0 && <p class="muted">{texts.moreTransfers(unlisted.transfers)}</p>}
      {fee && (
        <p>
          {texts.fee}: {assetText(`${fee.amount} ${fee.asset}`)}
        </p>
      )}
    </>
  );
}

/** An address of the transaction by its name; it says where it was not read. */
function Party({ desk, answer, address }: PartsProps & { address: string | null }) {
  const texts = words().canvas.opened;
  if (address === null) return <span class="muted">{texts.noAddress}</span>;
  const known = answer.addresses.find((one) => one.address === address);
  const node = { key: nodeKey(answer.chain, address), label: known?.label ?? null, address };
  return (
    <>
      <AddressButton desk={desk} node={node} />{' '}
      {known && !known.read && known.category === 'unknown' && <span class="mark">{texts.unread}</span>}
    </>
  );
}
