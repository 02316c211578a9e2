import { dollars } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { attributeBy, drawFunds } from '../../../desk/asks.ts';
import { type Desk, nodeOfKey } from '../../../desk/desk.ts';
import { CopyText } from '../../../parts/address-text.tsx';
import { Field } from '../../../parts/field.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { Loading } from '../../../parts/notes.tsx';
import { readingHelps } from '../../../scene/additions.ts';
import { AddressButton } from './pieces/address-buttons.tsx';
import { FundsTable } from './pieces/funds-table.tsx';
import { TracePanel } from './trace-panel.tsx';

/** A code in a note, which programs read. */
const CODE = / ?[(（][a-z]+(_[a-z]+)+[)）]/g;

/** The account of the followed money, or the way to begin one. */
export function MoneyPanel({ desk }: { desk: Desk }) {
  const texts = words().canvas;
  const { subject, followed } = desk.stage.value.scene;
  const funds = desk.funds.value;
  const node = nodeOfKey(desk, followed?.key ?? subject ?? '');
  if (!node) return null;
  if (followed && !funds && !desk.error.value) return <Loading />;
  if (!funds) {
    return (
      <section aria-label={texts.money}>
        <p>{texts.beginMoney}</p>
        <button type="button" class="primary" disabled={desk.busy.value} onClick={() => follow('sent')}>
          {texts.actions.followSent}
        </button>{' '}
        <button type="button" disabled={desk.busy.value} onClick={() => follow('received')}>
          {texts.actions.followReceived}
        </button>
      </section>
    );
  }
  const isUnread = funds.rows.every(({ kind }) => kind === 'not_read') && funds.total_usd === 0;
  return (
    <section aria-labelledby="money">
      <h2 id="money">{funds.direction === 'sent' ? texts.whereItIs : texts.whereFrom}</h2>
      <p>
        <AddressButton desk={desk} node={node} />
        {!isUnread && (
          <>
            {' '}
            · <strong>{dollars(funds.total_usd)}</strong>
          </>
        )}
      </p>
      {followed?.tx_hash && (
        <p>
          {texts.onePayment} <CopyText text={followed.tx_hash} />
        </p>
      )}
      {isUnread ? (
        <p class="muted">{texts.nothingKnown}</p>
      ) : (
        funds.note && <p class="muted">{funds.note.replaceAll(CODE, '')}</p>
      )}
      {funds.flows.length === 0 && funds.rows.some(({ kind }) => kind !== 'not_read') && (
        <p class="note">{texts.flowsOfPlan}</p>
      )}
      {!isUnread && (
        <Field label={texts.attribution}>
          <ChoiceSelect
            choices={texts.methods}
            value={funds.method ?? 'pro_rata'}
            disabled={desk.busy.value}
            onChange={(method) => void desk.run((signal) => attributeBy(desk, method, signal))}
          />
        </Field>
      )}
      <FundsTable desk={desk} funds={funds} />
      {funds.rows.some(({ kind, category }) => readingHelps(kind) || category === 'bridge') && (
        <TracePanel key={funds.direction} desk={desk} node={node} usual={funds.direction} />
      )}
      {funds.patterns.map((pattern) => (
        <p key={pattern.pattern_id}>
          <strong>{pattern.name}</strong>: {pattern.description}
        </p>
      ))}
    </section>
  );

  function follow(direction: 'sent' | 'received') {
    if (node) void desk.run((signal) => drawFunds(desk, { key: node.key, direction }, signal));
  }
}
