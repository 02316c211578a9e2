import type { Kysely } from 'kysely';

interface Note {
  id: string;
  content: string;
  note_type: string;
  author: string;
  event: string | null;
}

const NOTES_AT_ONCE = 500;
const STATUSES = new Set(['open', 'in_review', 'escalated', 'closed', 'archived']);
const CHAINS = new Set('bitcoin ethereum polygon bsc base arbitrum optimism avalanche kaia solana tron xrp'.split(' '));

/**
 * What the service wrote into a timeline gets its kind and values beside its text; earlier notes too. A text that names
 * anything else than a status or a chain was written by an analyst.
 */
export async function up(db: Kysely<{ case_notes: Note }>): Promise<void> {
  await db.schema.alterTable('case_notes').addColumn('event', 'text').execute();
  let after = '';
  for (;;) {
    const notes = await db
      .selectFrom('case_notes')
      .select(['id', 'content', 'author', 'note_type'])
      .where((is) => is.or([is('author', '=', 'system'), is('note_type', '=', 'decision')]))
      .where('id', '>', after)
      .orderBy('id')
      .limit(NOTES_AT_ONCE)
      .execute();
    for (const { id, content, author } of notes) {
      const event = author === 'system' ? systemEvent(content) : matchEvent(content);
      if (event) {
        await db
          .updateTable('case_notes')
          .set({ event: JSON.stringify(event) })
          .where('id', '=', id)
          .execute();
      }
    }
    const last = notes.at(-1);
    if (!last) return;
    after = last.id;
  }
}

function systemEvent(content: string): object | null {
  if (content === 'Report downloaded as PDF') return { kind: 'report_downloaded' };
  const [, id] = /^Report package generated: (\S+)$/.exec(content) ?? [];
  if (id !== undefined) return { kind: 'package_generated', generation_id: id };
  const [, from, to] = /^Status changed from (\w+) to (\w+)$/.exec(content) ?? [];
  return !STATUSES.has(from!) || !STATUSES.has(to!) ? null : { kind: 'status_changed', from, to };
}

function matchEvent(content: string): object | null {
  const found =
    /^Likely match of (\w+) (\S+) with (\w+) (\S+) (confirmed|rejected|withdrawn): (.*)$/s.exec(content) ?? [];
  const [, chainOut, txOut, chainIn, txIn, decision, reason] = found;
  if (!CHAINS.has(chainOut!) || !CHAINS.has(chainIn!)) return null;
  const source = { chain: chainOut, tx_hash: txOut };
  return { kind: 'match_decided', decision, source, destination: { chain: chainIn, tx_hash: txIn }, reason };
}
