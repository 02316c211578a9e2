import { compare } from '../../domain/compare.ts';
import { addToGroup } from '../../domain/group-by.ts';
import { type Category, LAWFUL_SERVICE_CATEGORIES, serviceName } from '../../domain/label.ts';
import { asColumns } from '../columns.ts';
import type { GraphTransaction, Row } from '../port.ts';

interface NameRow extends Row {
  owner: string | null;
  label: string;
  category: Category | null;
  sure: boolean | null;
  members: number;
}

/** Names entities again by what sure labels call most of their labelled members. */
export async function nameEntities(tx: GraphTransaction, ids: Iterable<string>): Promise<void> {
  const called = [];
  for (const id of ids) called.push({ id, ...callOf(await tx.run<NameRow>('entities/names', { id })) });
  if (called.length > 0) {
    await tx.run('entities/call', asColumns(called, ['id', 'name', 'category', 'several_services']));
  }
}

function callOf(rows: readonly NameRow[]) {
  const byName = new Map<string, NameRow[]>();
  for (const row of rows) if (isSure(row)) addToGroup(byName, nameOf(row), row);
  const membersOf = (some: readonly NameRow[]) => some.reduce((sum, { members }) => sum + members, 0);
  const names = [...byName].sort(([a, some], [b, more]) => membersOf(more) - membersOf(some) || compare(a, b));
  const [name, best] = names[0] ?? [null, []];
  const [main] = best.sort((a, b) => b.members - a.members || compare(a.category ?? '', b.category ?? ''));
  const services = names.filter(([, some]) => some.some(({ category }) => isLawfulService(category)));
  return { name, category: main?.category ?? null, several_services: services.length > 1 || null };
}

/** On a node the category of a lawful service is always that of a sure label. */
function isSure({ sure, category }: NameRow): boolean {
  return sure === true || isLawfulService(category);
}

function isLawfulService(category: Category | null): boolean {
  return category !== null && LAWFUL_SERVICE_CATEGORIES.includes(category);
}

function nameOf({ owner, label }: NameRow): string {
  return owner ?? serviceName(label) ?? label;
}
