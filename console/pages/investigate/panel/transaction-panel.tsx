import type { SceneNode } from '../../../../src/domain/scene/scene.ts';
import { linkTo } from '../../../browser/route.ts';
import { words } from '../../../browser/words.ts';
import { partsOf } from '../../../desk/asks.ts';
import type { Desk } from '../../../desk/desk.ts';
import { drawTransaction } from '../../../desk/transaction.ts';
import { CopyText } from '../../../parts/address-text.tsx';
import { ExplorerLink } from '../../../parts/explorer-link.tsx';
import { SpendButton } from '../../../parts/form/spend-button.tsx';
import { MomentText } from '../../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../../parts/notes.tsx';
import type { OpenedTransaction } from '../../../service/tracing-answers.ts';
import { useAnswer } from '../../../service/use-answer.ts';
import { ColourChoice } from './pieces/colour-choice.tsx';
import { NoteField } from './pieces/note-field.tsx';
import { CoinTables, TransferList } from './pieces/transaction-parts.tsx';

/** An opened transaction: what it moved as the chain has it, and what adds up. */
export function TransactionPanel({ desk, node }: { desk: Desk; node: SceneNode }) {
  const texts = words().canvas.opened;
  const { chain, address: hash } = node;
  const known = desk.opened.value.get(node.key);
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
          {answer.transfers ? <TransferList desk={desk} answer={answer} /> : <CoinTables desk={desk} answer={answer} />}
        </>
      )}
      <SpendButton
        label={texts.scanBoth}
        scans={2}
        disabled={desk.busy.value}
        onSpend={() => void drawTransaction(desk, { chain, hash })}
      />
      <NoteField desk={desk} keys={[node.key]} note={node.note} />
      <ColourChoice desk={desk} keys={[node.key]} colour={node.colour} />
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
