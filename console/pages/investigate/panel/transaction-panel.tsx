import { addAmounts } from '../../../../src/domain/amount.ts';
import { type Chain, NATIVE_COIN } from '../../../../src/domain/chain.ts';
import type { SceneFlow, SceneNode } from '../../../../src/domain/scene/scene.ts';
import { assetText, count, dollars } from '../../../browser/figures.ts';
import { linkTo } from '../../../browser/route.ts';
import { language, words } from '../../../browser/words.ts';
import { add, arrange, connect, forgetOpened, partsOf } from '../../../canvas-session/asks.ts';
import type { CanvasSession } from '../../../canvas-session/canvas-session.ts';
import { CopyText } from '../../../parts/address-text.tsx';
import { ExplorerLink } from '../../../parts/explorer-link.tsx';
import { SpendButton } from '../../../parts/form/spend-button.tsx';
import { MomentText } from '../../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../../parts/notes.tsx';
import { Table } from '../../../parts/table.tsx';
import { type Additions, nodeKey } from '../../../scene/additions.ts';
import { begun } from '../../../scene/grow.ts';
import type { ScannedTransaction } from '../../../service/answers.ts';
import { call } from '../../../service/api.ts';
import type { OpenedTransaction } from '../../../service/tracing-answers.ts';
import { useAnswer } from '../../../service/use-answer.ts';
import { AddressButton } from './pieces/address-buttons.tsx';
import { ColourChoice } from './pieces/colour-choice.tsx';
import { NoteField } from './pieces/note-field.tsx';

/** An opened transaction: what it moved as the chain has it, and what adds up. */
export function TransactionPanel({ session, node }: { session: CanvasSession; node: SceneNode }) {
  const texts = words().canvas.opened;
  const { chain, address: hash } = node;
  const known = session.opened.value.get(node.key);
  const { answer, error } = useAnswer<OpenedTransaction>(
    async (signal) => known ?? partsOf(node, signal),
    [node.key, known],
  );
  return (
    <section aria-labelledby="chosen">
      <h2 id="chosen">{texts.title}</h2>
      <p>
        <CopyText text={hash} whole /> <ExplorerLink chain={chain} hash={hash} />
      </p>
      <ErrorNote error={error} />
      {!answer && !error && <Loading />}
      {answer && (
        <>
          <p>
            {answer.timestamp && <MomentText at={answer.timestamp} />} {texts.state[answer.status]}
          </p>
          {answer.call && <Called call={answer.call} chain={chain} />}
          {answer.transfers ? (
            <TransferList session={session} answer={answer} />
          ) : (
            <CoinTables session={session} answer={answer} />
          )}
        </>
      )}
      <SpendButton
        label={texts.scanBoth}
        scans={2}
        disabled={session.busy.value}
        onSpend={() => void drawTransaction(session, { chain, hash })}
      />
      <NoteField session={session} keys={[node.key]} note={node.note} />
      <ColourChoice session={session} keys={[node.key]} colour={node.colour} />
    </section>
  );
}

/** The signer, and what was called. */
function Called({
  call: { from, to, method },
  chain,
}: {
  call: NonNullable<OpenedTransaction['call']>;
  chain: string;
}) {
  const texts = words().canvas.opened;
  return (
    <dl class="facts">
      <dt>{texts.by}</dt>
      <dd>
        <CopyText text={from} link={linkTo('address', [chain, from])} />
      </dd>
      <dt>{texts.called}</dt>
      <dd>
        {to ? <CopyText text={to} link={linkTo('address', [chain, to])} /> : texts.created}{' '}
        {method && <code>{method}</code>}
      </dd>
    </dl>
  );
}

interface PartsProps {
  session: CanvasSession;
  answer: OpenedTransaction;
}

/** Inputs and outputs of a Bitcoin transaction, and the sum that they make with the fee. */
function CoinTables({ session, answer }: PartsProps) {
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
                    <Party session={session} answer={answer} address={address} />{' '}
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
function TransferList({ session, answer }: PartsProps) {
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
            cell: ({ from }) => <Party session={session} answer={answer} address={from} />,
          },
          { title: words().investigate.to, cell: ({ to }) => <Party session={session} answer={answer} address={to} /> },
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
function Party({ session, answer, address }: PartsProps & { address: string | null }) {
  const texts = words().canvas.opened;
  if (address === null) return <span class="muted">{texts.noAddress}</span>;
  const known = answer.addresses.find((one) => one.address === address);
  const node = { key: nodeKey(answer.chain, address), label: known?.label ?? null, address };
  return (
    <>
      <AddressButton session={session} node={node} />{' '}
      {known && !known.read && known.category === 'unknown' && <span class="mark">{texts.unread}</span>}
    </>
  );
}

/** Scans both sides of a transaction and draws its payment; the payee is where following the money begins. */
function drawTransaction(session: CanvasSession, { chain, hash }: { chain: Chain; hash: string }): Promise<void> {
  return session.run(async (signal) => {
    const body = { tx_hash: hash, chain, lang: language.value };
    const found = await call<ScannedTransaction>('/scan/tx', { method: 'POST', body, signal });
    forgetOpened(session);
    const payment = paymentOf(found, chain, hash);
    const start = payment.flows[0]?.to ?? payment.nodes[0]?.key;
    if (start === undefined) return;
    const isFirst = session.stage.value.scene.nodes.length === 0;
    if (isFirst) session.learn((scene) => begun(scene, start));
    await add(session, payment, signal);
    // The graph knows the payment by now, with its value.
    await connect(session, found.sender ? [{ chain, address: found.sender.address }] : [], signal);
    if (isFirst) await arrange(session);
    session.chosen.value = new Set([start]);
  });
}

function paymentOf(
  { sender, receiver, timestamp, participants }: ScannedTransaction,
  chain: Chain,
  hash: string,
): Additions {
  const [from, to] = [sender?.address, receiver?.address];
  const nodes = [from, to].flatMap((address) => (address ? [{ key: nodeKey(chain, address), read: true }] : []));
  if (!from || !to || from === to || timestamp === null) return { nodes, flows: [] };
  const got = participants.find(({ role, address, amount }) => role === 'to' && address === to && amount !== null);
  const [asset, amount] = [got?.asset ?? '', got?.amount ?? '0'];
  const [payer, payee] = [nodeKey(chain, from), nodeKey(chain, to)];
  const flow: SceneFlow = {
    id: `${payer}>${payee}`,
    from: payer,
    to: payee,
    usd: null,
    assets: { [asset]: amount },
    tx_count: 1,
    first_at: timestamp,
    last_at: timestamp,
    tx_hash: hash,
    transfers: [{ tx_hash: hash, at: timestamp, asset, amount, usd: null }],
    share: null,
    bridge: null,
  };
  return { nodes, flows: [flow] };
}
