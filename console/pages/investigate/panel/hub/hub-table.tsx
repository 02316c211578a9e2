import type { SceneAddress } from '../../../../../src/domain/scene/scene.ts';
import { count, dollars } from '../../../../browser/figures.ts';
import { words } from '../../../../browser/words.ts';
import { addressName } from '../../../../canvas/elements.ts';
import type { Desk } from '../../../../desk/desk.ts';
import { CategoryBadge } from '../../../../parts/category-badge.tsx';
import { ChoiceSelect } from '../../../../parts/form/choice-select.tsx';
import { LevelBadge } from '../../../../parts/level-badge.tsx';
import { MomentText } from '../../../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../../../parts/notes.tsx';
import { Pager } from '../../../../parts/pager.tsx';
import { Table } from '../../../../parts/table.tsx';
import { nodeKey } from '../../../../scene/additions.ts';
import type { Scan } from '../../../../service/answers.ts';
import { type HubParty, PAGE, useParties } from './use-parties.ts';

/** Counterparties of a hub by page, found and sorted; those that are chosen on any page are drawn by themselves. */
export function HubTable({ desk, hub }: { desk: Desk; hub: SceneAddress }) {
  const texts = words().canvas.hub;
  const parties = useParties(desk, hub);
  const { answer, error, loading, chosen, choose, offset } = parties;
  const rows = answer?.counterparties ?? [];
  const free = rows.filter((party) => !parties.isDrawn(party));
  const busy = desk.busy.value;
  return (
    <div class="hub">
      <div class="row center">
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={parties.typed}
          onInput={(event) => parties.setTyped(event.currentTarget.value)}
        />
        <ChoiceSelect
          aria-label={words().canvas.order}
          value={parties.order}
          choices={texts.orders}
          onChange={parties.setOrder}
        />
      </div>
      <div class="row center">
        <button type="button" class="primary" disabled={busy || chosen.size === 0} onClick={() => void parties.draw()}>
          {words().canvas.drawThese(chosen.size)}
        </button>
        <button type="button" disabled={busy || rows.length === 0} onClick={() => void parties.chooseFound()}>
          {texts.chooseAll(count(answer?.total ?? 0))}
        </button>
      </div>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer && (
        <>
          <Table
            caption={texts.title}
            rows={rows}
            keyOf={({ address }) => address}
            empty={words().canvas.noHits}
            columns={[
              {
                title: words().canvas.draw,
                head: (
                  <input
                    type="checkbox"
                    aria-label={texts.choosePage}
                    disabled={free.length === 0}
                    checked={free.length > 0 && free.every(({ address }) => chosen.has(address))}
                    onChange={(event) => choose(free, event.currentTarget.checked)}
                    onKeyDown={walkChoices}
                  />
                ),
                cell: (party) =>
                  parties.isDrawn(party) ? (
                    <span title={words().canvas.onCanvas}>✓</span>
                  ) : (
                    <input
                      type="checkbox"
                      aria-label={party.address}
                      checked={chosen.has(party.address)}
                      onChange={(event) => choose([party], event.currentTarget.checked)}
                      onKeyDown={walkChoices}
                    />
                  ),
              },
              {
                title: words().investigate.address,
                cell: (party) => (
                  <Name party={party} level={desk.levels.value.get(nodeKey(hub.chain, party.address))} />
                ),
              },
              { title: texts.in, cell: ({ received }) => received && dollars(received.usd), numeric: true },
              { title: texts.out, cell: ({ sent }) => sent && dollars(sent.usd), numeric: true },
              { title: texts.last, cell: (party) => <MomentText at={lastOf(party)} /> },
            ]}
          />
          <Pager page={{ offset, limit: PAGE, total: answer.total }} onOffset={parties.setOffset} />
        </>
      )}
    </div>
  );
}

/** Names a party, with the level of its newest scan and what a list says of it. */
function Name({
  party: { label, address, category },
  level,
}: {
  party: HubParty;
  level: Scan['risk_level'] | undefined;
}) {
  return (
    <span title={address}>
      {addressName({ label, address })} {level && <LevelBadge level={level} />}{' '}
      {category !== 'unknown' && <CategoryBadge category={category} />}
    </span>
  );
}

function lastOf({ sent, received }: HubParty): string | undefined {
  return [sent?.last_at, received?.last_at].filter(Boolean).sort().at(-1);
}

/** Leads the keyboard from one box of the table to the next. */
function walkChoices(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const box = event.currentTarget as HTMLElement;
  const boxes = [...(box.closest('table')?.querySelectorAll<HTMLElement>('input:enabled') ?? [])];
  boxes[boxes.indexOf(box) + step]?.focus();
  event.preventDefault();
}
