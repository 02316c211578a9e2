import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { type Category, isLawfulService, serviceKey, serviceName } from '../../domain/label.ts';
import { slicesOf } from '../../domain/slices.ts';
import { asColumns } from '../columns.ts';
import type { GraphTransaction, Row } from '../port.ts';

interface NameRow extends Row {
  id: string;
  owner: string | null;
  label: string;
  category: Category | null;
  sure: boolean | null;
  members: number;
}

/** Entities whose labels one statement reads: it looks at all their members. */
const AT_ONCE = 100;

/** Names entities again by what sure labels call most of their labelled members. */
export async function nameEntities(tx: GraphTransaction, ids: Iterable<string>): Promise<void> {
  for (const id of slicesOf([...ids], AT_ONCE)) {
    const rows = groupBy(await tx.run<NameRow>('entities/names', { id }), (row) => row.id);
    const called = id.map((one) => ({ id: one, ...callOf(rows.get(one) ?? []) }));
    await tx.run('entities/call', asColumns(called, ['id', 'name', 'category', 'several_services']));
  }
}

function callOf(rows: readonly NameRow[]) {
  const parties = [...groupBy(rows.filter(isSure), (row) => serviceKey(nameOf(row))).values()].map((some) => ({
    ...{ some, name: commonestName(some), members: membersOf(some) },
  }));
  const [best] = parties.sort((a, b) => b.members - a.members || compare(a.name, b.name));
  const services = parties.filter(({ some }) => some.some(({ category }) => isLawfulService(category)));
  const [main] = (best?.some ?? []).toSorted(
    (a, b) => b.members - a.members || compare(a.category ?? '', b.category ?? ''),
  );
  return {
    ...{ name: best?.name ?? null, category: main?.category ?? null },
    several_services: services.length > 1 || null,
  };
}

function membersOf(rows: readonly NameRow[]): number {
  return rows.reduce((sum, { members }) => sum + members, 0);
}

function commonestName(rows: readonly NameRow[]): string {
  const [[name]] = [...groupBy(rows, nameOf)].sort(
    ([a, some], [b, more]) => membersOf(more) - membersOf(some) || compare(a, b),
  ) as [[string, NameRow[]]];
  return name;
}

/** On a node the category of a lawful service is always that of a sure label. */
function isSure({ sure, category }: NameRow): boolean {
  return sure === true || isLawfulService(category);
}

function nameOf({ owner, label }: NameRow): string {
  return owner ?? serviceName(label) ?? label;
}
