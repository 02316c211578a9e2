import { chainName } from '../../../../../src/domain/chain.ts';
import { feesTogether } from '../../../../../src/domain/scene/sums.ts';
import { lookUp } from '../../../../../words/look-up.ts';
import { amountsText, dollars, percentOnLine, sharesOnLine } from '../../../../browser/figures.ts';
import { words } from '../../../../browser/words.ts';
import { addressName } from '../../../../canvas/elements.ts';
import { readAndFollow } from '../../../../desk/asks.ts';
import type { Desk } from '../../../../desk/desk.ts';
import { freezingRequest, isHolder } from '../../../../desk/freeze.ts';
import { chooseWay } from '../../../../desk/way.ts';
import { CategoryBadge } from '../../../../parts/category-badge.tsx';
import { CopyButton } from '../../../../parts/copy/copy-button.tsx';
import { EndReasonText } from '../../../../parts/form/end-reason.tsx';
import { SpendButton } from '../../../../parts/form/spend-button.tsx';
import { WatchButton } from '../../../../parts/watch-button.tsx';
import { readingHelps } from '../../../../scene/additions.ts';
import type { AddressFunds } from '../../../../service/tracing-answers.ts';
import { TagLines } from './tag-lines.tsx';

type Row = AddressFunds['rows'][number];

/** All ends of the money; they add up to all of it. A row chooses its way on the canvas. */
export function FundsTable({ desk, funds }: { desk: Desk; funds: AddressFunds }) {
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
              desk={desk}
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
  desk: Desk;
  row: Row;
  share: string;
  direction: AddressFunds['direction'];
}

function FundsRow({ desk, row, share, direction }: FundsRowProps) {
  const texts = words().canvas;
  const { kind, category, chain, address, label, assets, count } = row;
  const reason =
    kind === 'party' ? null : (texts.kinds[kind as keyof typeof texts.kinds] ?? lookUp(words().ends, kind));
  return (
    <tr>
      <td>
        {address && chain ? (
          <button type="button" class="link" title={address} onClick={() => chooseWay(desk, row)}>
            {addressName({ label, address })}
          </button>
        ) : (
          texts.severalEnds(count)
        )}{' '}
        {category && category !== 'unknown' && <CategoryBadge category={category} />}
        <br />
        <span class="muted">
          {[reason, chain && chainName(chain), amountsText(assets)].filter(Boolean).join(' · ')}
        </span>
        <TagLines tags={row.tags} direction={direction} />
        {row.bridge && (
          <div>
            <EndReasonText end={{ reason: row.bridge.reason ?? kind, direction, bridge: row.bridge }} />
          </div>
        )}
        {readingHelps(kind) && address && chain && (
          <div class="row-actions">
            <SpendButton
              label={texts.read}
              scans={1}
              disabled={desk.busy.value}
              onSpend={() => desk.run((signal) => readAndFollow(desk, { chain, address }, signal))}
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
