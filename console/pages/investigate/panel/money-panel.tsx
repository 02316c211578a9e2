import { chainName } from '../../../../src/domain/chain.ts';
import { requestedMoney } from '../../../../src/domain/scene/requested-money.ts';
import { feesTogether } from '../../../../src/domain/scene/sums.ts';
import { endCode, lookUp } from '../../../../words/look-up.ts';
import { requestLines, transferLine } from '../../../../words/request-lines.ts';
import { amountsText, dollars, percentOnLine, sharesOnLine } from '../../../browser/figures.ts';
import { language, words } from '../../../browser/words.ts';
import { addressName } from '../../../canvas/elements.ts';
import { attributeBy, drawFunds, readAndFollow } from '../../../canvas-session/asks.ts';
import { type CanvasSession, nodeOfKey } from '../../../canvas-session/canvas-session.ts';
import { chooseWay } from '../../../canvas-session/way.ts';
import { CopyText } from '../../../parts/address-text.tsx';
import { CategoryBadge } from '../../../parts/category-badge.tsx';
import { CopyButton } from '../../../parts/copy.tsx';
import { Field } from '../../../parts/field.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { EndReasonText } from '../../../parts/form/end-reason.tsx';
import { SpendButton } from '../../../parts/form/spend-button.tsx';
import { Loading } from '../../../parts/notes.tsx';
import { WatchButton } from '../../../parts/watch-button.tsx';
import { readingHelps } from '../../../scene/additions.ts';
import type { AddressFunds } from '../../../service/tracing-answers.ts';
import { AddressButton } from './pieces/address-buttons.tsx';
import { TagLines } from './pieces/tag-lines.tsx';
import { TracePanel } from './trace-panel.tsx';

/** A code in a note, which programs read. */
const CODE = / ?[(（][a-z]+(_[a-z]+)+[)）]/g;

/** The account of the followed money, or the way to begin one. */
export function MoneyPanel({ session }: { session: CanvasSession }) {
  const texts = words().canvas;
  const { subject, followed } = session.picture.value;
  const funds = session.funds.value;
  const node = nodeOfKey(session, followed?.key ?? subject ?? '');
  if (!node) return null;
  if (followed && !funds && !session.error.value) return <Loading />;
  if (!funds) {
    return (
      <section class="panel-start" aria-label={texts.money}>
        <p>{texts.beginMoney}</p>
        <button type="button" class="primary" disabled={session.busy.value} onClick={() => follow('sent')}>
          {texts.actions.followSent}
        </button>{' '}
        <button type="button" disabled={session.busy.value} onClick={() => follow('received')}>
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
        <AddressButton session={session} node={node} />
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
            disabled={session.busy.value}
            onChange={(method) => void session.run((signal) => attributeBy(session, method, signal))}
          />
        </Field>
      )}
      <FundsTable session={session} funds={funds} />
      {funds.rows.some(({ kind, category }) => readingHelps(kind) || category === 'bridge') && (
        <TracePanel key={funds.direction} session={session} node={node} usual={funds.direction} />
      )}
      {funds.patterns.map((pattern) => (
        <p key={pattern.pattern_id}>
          <strong>{pattern.name}</strong>: {pattern.description}
        </p>
      ))}
    </section>
  );

  function follow(direction: 'sent' | 'received') {
    if (node) void session.run((signal) => drawFunds(session, { key: node.key, direction }, signal));
  }
}

type Row = AddressFunds['rows'][number];

/** All ends of the money; they add up to all of it. A row chooses its way on the canvas. */
function FundsTable({ session, funds }: { session: CanvasSession; funds: AddressFunds }) {
  const texts = words().canvas;
  const rows = feesTogether(funds.rows);
  const shares = sharesOnLine(rows);
  const sum = rows.reduce((all, { share }) => all + share, 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="table-frame" tabIndex={0} aria-label={texts.money}>
      <table class="funds">
        <caption class="visually-hidden">{texts.money}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.end}</th>
            <th scope="col" class="numeric">
              {words().investigate.value}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <FundsRow
              key={`${row.kind} ${row.category} ${row.chain} ${row.address} ${row.bridge?.crossing_id}`}
              session={session}
              row={row}
              share={shares[i]!}
              direction={funds.direction}
            />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            <td class="numeric">
              {dollars(funds.total_usd)}
              <br />
              {percentOnLine(Math.abs(sum - 1) < 0.001 ? 1 : sum)}
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

interface FundsRowProps {
  session: CanvasSession;
  row: Row;
  share: string;
  direction: AddressFunds['direction'];
}

function FundsRow({ session, row, share, direction }: FundsRowProps) {
  const texts = words().canvas;
  const { kind, category, chain, address, label, assets, count } = row;
  const reason =
    kind === 'party' ? null : (texts.kinds[kind as keyof typeof texts.kinds] ?? lookUp(words().ends, endCode(row)));
  return (
    <tr>
      <td>
        {address && chain ? (
          <button type="button" class="link" title={address} onClick={() => chooseWay(session, row)}>
            {addressName({ label, address })}
          </button>
        ) : (
          texts.severalEnds(count)
        )}{' '}
        {category && <CategoryBadge category={category} />}
        <br />
        <span class="muted">
          {[reason, chain && chainName(chain), amountsText(assets)].filter(Boolean).join(' · ')}
        </span>
        <TagLines tags={row.tags} direction={direction} />
        {row.bridge && (
          <div class="muted">
            <EndReasonText end={{ reason: row.bridge.reason ?? kind, direction, bridge: row.bridge }} />
          </div>
        )}
        {readingHelps(kind) && address && chain && (
          <div class="row-actions">
            <SpendButton
              label={texts.read}
              scans={1}
              disabled={session.busy.value}
              onSpend={() => session.run((signal) => readAndFollow(session, { chain, address }, signal))}
            />
          </div>
        )}
        {isHolder(row) && address && chain && (
          <div class="row-actions">
            <CopyButton label={texts.freeze} text={() => freezingRequest(row)} />
            <WatchButton chain={chain} address={address} label={label} />
          </div>
        )}
      </td>
      <td class="numeric">
        {row.reached ? texts.touched : dollars(row.usd)}
        <br />
        {!row.reached && <strong>{share}</strong>}
        {row.range && !row.reached && <div class="muted">{rangeText(row.range)}</div>}
      </td>
    </tr>
  );
}

function rangeText({ least_usd, most_usd }: NonNullable<Row['range']>): string {
  const [least, most] = [dollars(least_usd), dollars(most_usd)];
  return least === most ? words().canvas.sameByRules : `${least} – ${most}`;
}

/** Ends at which the money can still be stopped: a wallet that holds it, an exchange that took it. */
function isHolder({ kind, category }: Row): boolean {
  return kind === 'held' || category === 'exchange' || category === 'high_risk_exchange';
}

/** Returns where money is, the transactions that brought it there and its way, in the words of the requests of a case. */
function freezingRequest(row: Row): string {
  const { chain, address, label } = row;
  if (!chain || !address) return '';
  const say = words().requests;
  const lines = requestLines(requestedMoney([{ ...row, chain, address }]), say, language.value);
  const way = row.path.map((hop) => transferLine({ ...hop, moved_amount: hop.amount }, say, language.value));
  return [...(label === null ? [] : [label]), ...lines, ...(way.length > 0 ? ['', say.way, ...way] : [])].join('\n');
}
