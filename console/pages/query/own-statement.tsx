import { useState } from 'preact/hooks';
import { saveCsv } from '../../browser/save-file.ts';
import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { Table } from '../../parts/table.tsx';
import { keysOfRow } from '../../scene/rows.ts';
import type { OwnStatementRows } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { ToCanvas } from './to-canvas.tsx';

const START =
  'MATCH (a:Address {key: $key})-[t:TRANSFER]->(b:Address)\nRETURN b.key AS to, b.category AS category, sum(t.usd) AS usd\nORDER BY usd DESC LIMIT 50';
const START_PARAMS = '{"key": "ethereum:0x…"}';
const SHOWN = 200;

interface PlacedRow {
  values: unknown[];
  place: number;
}

/** A statement of the analyst's own, and its rows. */
export function OwnStatement() {
  const texts = words().query;
  const [answer, setAnswer] = useState<OwnStatementRows | null>(null);
  const run = async (fields: FormData) => {
    setAnswer(null);
    const body = { statement: given(fields, 'statement'), params: paramsOf(given(fields, 'params') ?? '{}') };
    setAnswer(await call<OwnStatementRows>('/graph/query', { method: 'POST', body }));
  };
  return (
    <>
      <Form label={texts.questions.own} submit={texts.run} keeps onSubmit={run}>
        <Field label={texts.statement} hint={texts.statementHint}>
          <textarea name="statement" class="code" rows={7} required spellcheck={false} defaultValue={START} />
        </Field>
        <Field label={texts.params}>
          <input name="params" class="code" spellcheck={false} autocomplete="off" defaultValue={START_PARAMS} />
        </Field>
      </Form>
      {answer && (
        <>
          <h2>{texts.rows}</h2>
          <div class="row center">
            <span class="muted" role="status">
              {texts.took(answer.ms, answer.rows.length)} {answer.truncated && texts.truncated}
            </span>
            <button
              type="button"
              onClick={() => saveCsv('query.csv', [answer.columns, ...answer.rows.map((row) => row.map(textOf))])}
            >
              {texts.saveCsv}
            </button>
            {answer.rows.some((row) => keysOfRow(row).length > 0) && <ToCanvas carried={{ rows: answer.rows }} />}
          </div>
          <Table
            caption={texts.rows}
            rows={answer.rows.slice(0, SHOWN).map((values, place): PlacedRow => ({ values, place }))}
            keyOf={({ place }) => String(place)}
            empty={texts.noRows}
            columns={answer.columns.map((title, i) => ({ title, cell: ({ values }: PlacedRow) => textOf(values[i]) }))}
          />
        </>
      )}
    </>
  );
}

/** Throws in the reader's language where the text is not a JSON object. */
function paramsOf(text: string): object {
  try {
    const params: unknown = JSON.parse(text);
    if (typeof params === 'object' && params !== null && !Array.isArray(params)) return params;
  } catch {
    // Said below.
  }
  throw new Error(words().query.badParams);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
