import type { ComponentChildren } from 'preact';

interface TableColumn<Row> {
  title: string;
  /** Shown instead of the title. */
  head?: ComponentChildren;
  cell: (row: Row) => ComponentChildren;
  /** A column that says something of no row is left out. */
  says?: (row: Row) => boolean;
  /** Numbers stand at the right. */
  numeric?: boolean;
}

interface TableProps<Row> {
  /** Says what the table holds; read out by screen readers. */
  caption: string;
  columns: TableColumn<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  /** Marks a row. */
  rowClass?: (row: Row) => string | undefined;
  /** Shown instead of a table without rows. */
  empty: string;
}

/** Rows under titles; a wide one scrolls inside its own frame, by keyboard too. */
export function Table<Row>({ caption, columns: all, rows, keyOf, rowClass, empty }: TableProps<Row>) {
  if (rows.length === 0) return <p class="note">{empty}</p>;
  const columns = all.filter(({ says }) => !says || rows.some(says));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="table-frame" tabIndex={0} aria-label={caption}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, head, numeric }) => (
              <th key={title} scope="col" class={numeric ? 'numeric' : undefined}>
                {head ?? title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={rowClass?.(row)}>
              {columns.map(({ title, cell, numeric }) => (
                <td key={title} class={numeric ? 'numeric' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
