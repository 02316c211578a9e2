import { useState } from 'preact/hooks';
import { chainName } from '../../../src/domain/chain.ts';
import type { FollowState, WatchedMovements } from '../../../src/domain/watch.ts';
import { dollars, momentText } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { Field } from '../../parts/field.tsx';
import { AddressFields } from '../../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/notes.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import type { Watched, Watchlist } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { useReloadWhile } from '../../service/use-reload-while.ts';

const PAGE = 50;

/** The watched addresses with what their last scans found. */
export function WatchlistView() {
  const texts = words().monitoring;
  const [offset, setOffset] = useState(0);
  const { answer, error, loading, reload } = useAnswer<Watchlist>(
    (signal) => call('/watchlist', { query: { limit: PAGE, offset }, signal }),
    [offset],
  );
  useReloadWhile(answer?.items.some(isPending) ?? false, reload);
  return (
    <>
      <WatchForm onAdded={reload} />
      <section class="card" aria-labelledby="watchlist">
        <h2 id="watchlist">{texts.watchlist}</h2>
        <ErrorNote error={error} />
        {loading && !answer && <Loading />}
        {answer && (
          <Table
            caption={texts.watchlist}
            rows={answer.items}
            keyOf={(item) => item.id}
            empty={texts.empty}
            columns={[
              { title: texts.level, cell: (item) => <LevelBadge level={item.last_risk_level ?? 'UNKNOWN'} /> },
              { title: texts.address, cell: (item) => <AddressText chain={item.chain} address={item.token_address} /> },
              { title: texts.chain, cell: (item) => chainName(item.chain) },
              { title: texts.label, cell: (item) => item.label || '–' },
              { title: texts.lastScan, cell: (item) => <LastScan item={item} /> },
              { title: texts.follow, cell: (item) => <FollowSelect item={item} onChanged={reload} /> },
              { title: texts.live, cell: (item) => <LiveSelect item={item} onChanged={reload} /> },
              {
                title: texts.discoveries,
                cell: (item) => (
                  <a
                    href={linkTo('monitoring', ['discoveries', item.id, item.chain, item.token_address])}
                    aria-label={`${texts.discoveries}: ${item.token_address}`}
                  >
                    {texts.discoveries}
                  </a>
                ),
              },
              { title: words().parts.actions, cell: (item) => <WatchActions item={item} onChanged={reload} /> },
            ]}
          />
        )}
        {answer && <Pager page={answer} onOffset={setOffset} />}
      </section>
    </>
  );
}

function isPending(item: Watched): boolean {
  return item.last_scanned_at === null && item.failing_since === null;
}

function LastScan({ item }: { item: Watched }) {
  const texts = words().monitoring;
  if (isPending(item)) return <Loading text={texts.firstScan} />;
  return (
    <>
      <MomentText at={item.last_scanned_at} />
      {item.failing_since && <ErrorNote error={texts.failing(momentText(item.failing_since))} />}
    </>
  );
}

const BOUNDS_USD = [1_000, 10_000, 100_000];

/** Values as the select has them: JSON, and nothing for off. */
function movementChoices(now: WatchedMovements): Record<string, string> {
  const texts = words().monitoring;
  const bounds = typeof now === 'object' && !BOUNDS_USD.includes(now.above) ? [...BOUNDS_USD, now.above] : BOUNDS_USD;
  return Object.fromEntries([
    ...Object.entries(texts.movements).map(([value, text]) => [JSON.stringify(value), text]),
    ...bounds.map((above) => [JSON.stringify({ above }), texts.movementsAbove(dollars(above))]),
  ]);
}

/** Switches live watch of an address, off or to the movements that are alerted, and says how it is listened to. */
function LiveSelect({ item, onChanged }: { item: Watched; onChanged: () => void }) {
  const texts = words().monitoring;
  const { state, reason } = item.live;
  const isOff = state === 'off' && reason !== 'too_busy';
  const { run, busy, error } = useAction(async (value: string) => {
    const body = value === '' ? { live: false } : { live: true, movements: JSON.parse(value) };
    await call(apiPath`/watchlist/${item.id}`, { method: 'PATCH', body });
    onChanged();
  });
  return (
    <>
      <ChoiceSelect
        aria-label={`${texts.live}: ${item.token_address}`}
        value={isOff ? '' : JSON.stringify(item.movements)}
        none={texts.off}
        choices={movementChoices(item.movements)}
        disabled={busy}
        onChange={run}
      />
      {!isOff && (
        <div class="muted">
          {reason ? `${texts.liveStates[state]}: ${texts.liveReasons[reason]}` : texts.liveStates[state]}
        </div>
      )}
      <ErrorNote error={error} />
    </>
  );
}

/** Scans a watched address now, or removes it. */
function WatchActions({ item, onChanged }: { item: Watched; onChanged: () => void }) {
  const texts = words().monitoring;
  const [followState, setFollowState] = useState<FollowState | null | undefined>();
  const rescan = useAction(async () => {
    const { follow_mode } = await call<{ follow_mode: FollowState | null }>(apiPath`/watchlist/${item.id}/rescan`, {
      method: 'POST',
    });
    setFollowState(follow_mode);
    onChanged();
  });
  const remove = useAction(async () => {
    await call(apiPath`/watchlist/${item.id}`, { method: 'DELETE' });
    onChanged();
  });
  return (
    <>
      <div class="row-actions">
        <button
          type="button"
          disabled={rescan.busy}
          aria-label={`${texts.rescan}: ${item.token_address}`}
          onClick={() => rescan.run()}
        >
          {rescan.busy && <span class="spinner" aria-hidden="true" />} {texts.rescan}
        </button>
        <ConfirmButton
          label={texts.remove}
          about={item.token_address}
          disabled={remove.busy}
          onConfirm={() => remove.run()}
        />
      </div>
      <div role="status">
        {followState !== undefined && (
          <EmptyNote text={[texts.scanned, followState && texts.followStates[followState]].filter(Boolean).join(' ')} />
        )}
      </div>
      <ErrorNote error={rescan.error ?? remove.error} />
    </>
  );
}

/** Adds an address to the watchlist. */
function WatchForm({ onAdded }: { onAdded: () => void }) {
  const texts = words().monitoring;
  const add = async (fields: FormData) => {
    const depth = Number(given(fields, 'depth') ?? 0);
    const body = {
      address: given(fields, 'address'),
      chain: given(fields, 'chain'),
      label: given(fields, 'label'),
      ...(depth > 0 && { follow_mode_enabled: true, follow_depth: depth }),
    };
    await call('/watchlist', { method: 'POST', body });
    onAdded();
  };
  return (
    <details class="card add" open>
      <summary>{texts.add}</summary>
      <Form label={texts.add} submit={texts.watch} onSubmit={add}>
        <div class="fields">
          <AddressFields />
          <Field label={texts.label} hint={texts.labelHint}>
            <input name="label" maxLength={200} />
          </Field>
          <Field label={texts.follow} hint={texts.followHint}>
            <ChoiceSelect name="depth" none={texts.off} choices={followChoices()} />
          </Field>
        </div>
      </Form>
    </details>
  );
}

/** Deeper than any plan goes; the service cuts to what the plan has. */
const DEPTHS = [1, 2, 3, 4, 5];

function followChoices(): Record<string, string> {
  return Object.fromEntries(DEPTHS.map((depth) => [depth, words().monitoring.hops(depth)]));
}

/** Switches Follow Mode of a watched address, off or to a number of hops. */
function FollowSelect({ item, onChanged }: { item: Watched; onChanged: () => void }) {
  const texts = words().monitoring;
  const { run, busy, error } = useAction(async (depth: number) => {
    const body = depth > 0 ? { enabled: true, depth } : { enabled: false };
    await call(apiPath`/watchlist/${item.id}/follow`, { method: 'PATCH', body });
    onChanged();
  });
  return (
    <>
      <ChoiceSelect
        aria-label={`${texts.follow}: ${item.token_address}`}
        value={item.follow_mode_enabled ? String(item.follow_depth) : ''}
        none={texts.off}
        choices={followChoices()}
        disabled={busy}
        onChange={(depth) => run(Number(depth))}
      />
      <ErrorNote error={error} />
    </>
  );
}
