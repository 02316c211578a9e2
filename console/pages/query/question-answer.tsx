import { chainName } from '../../../src/domain/chain.ts';
import { lookUp } from '../../../words/look-up.ts';
import { dollars, percentOnLine } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { CopyCypher } from '../../parts/copy/copy-cypher.tsx';
import { HopTable } from '../../parts/hop-table.tsx';
import { EmptyNote } from '../../parts/notes.tsx';
import { Table } from '../../parts/table.tsx';
import type { QuestionAnswer, QuestionRow } from './questions.ts';
import { ToCanvas } from './to-canvas.tsx';

/** The ends or paths that answer a question, and the Cypher of it. */
export function QuestionAnswerView({ answer }: { answer: QuestionAnswer }) {
  const texts = words().query;
  const { rows, paths, note, cypher, drawn } = answer;
  return (
    <>
      <h2>{texts.rows}</h2>
      {note && <p class="note">{note}</p>}
      {rows.length === 0 && paths.length === 0 && <EmptyNote text={texts.noRows} />}
      {rows.length > 0 && <EndTable rows={rows} />}
      {paths.map((hops) => (
        <HopTable key={hops.map((hop) => hop.tx_hash).join()} caption={texts.columns.path} hops={hops} />
      ))}
      <div class="row center">
        {(rows.length > 0 || paths.length > 0) && <ToCanvas carried={drawn} />}
        <CopyCypher text={cypher} />
      </div>
      {cypher && (
        <details>
          <summary>{texts.usedCypher}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre class="code" tabIndex={0}>
            {cypher}
          </pre>
        </details>
      )}
    </>
  );
}

function EndTable({ rows }: { rows: QuestionRow[] }) {
  const { columns, rows: caption } = words().query;
  const { directions } = words().parts;
  return (
    <Table
      caption={caption}
      rows={rows}
      keyOf={(row) => [row.direction, row.end, row.category, row.chain, row.address, row.hops, row.usd].join()}
      empty=""
      columns={[
        { title: words().parts.from, cell: (row) => directions[row.direction] },
        {
          title: columns.end,
          cell: (row) => (
            <>
              {row.category && <CategoryBadge category={row.category} />} {row.end && lookUp(words().ends, row.end)}{' '}
              {row.label}
            </>
          ),
        },
        {
          title: columns.address,
          cell: (row) => (row.chain && row.address ? <AddressText chain={row.chain} address={row.address} /> : '–'),
        },
        { title: columns.chain, cell: (row) => (row.chain ? chainName(row.chain) : '–') },
        { title: columns.usd, cell: (row) => dollars(row.usd), numeric: true },
        { title: columns.share, cell: (row) => percentOnLine(row.share), numeric: true },
        { title: columns.hops, cell: (row) => row.hops, numeric: true },
      ]}
    />
  );
}
