import { useState } from 'preact/hooks';
import { chainName } from '../../src/domain/chain.ts';
import { lookUp } from '../../words/look-up.ts';
import { dollars, percentOnLine } from '../browser/figures.ts';
import type { Route } from '../browser/route.ts';
import { saveCsv } from '../browser/save-file.ts';
import { language, words } from '../browser/words.ts';
import { type CarriedAnswer, carryToCanvas } from '../canvas-session/carried.ts';
import { AddressText } from '../parts/address-text.tsx';
import { type BadgeCategory, CategoryBadge } from '../parts/category-badge.tsx';
import { CopyCypher } from '../parts/copy.tsx';
import { Field } from '../parts/field.tsx';
import { AddressFields, CHAIN_CHOICES } from '../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../parts/form/choice-select.tsx';
import { Form, given } from '../parts/form/form.tsx';
import { HopTable } from '../parts/hop-table.tsx';
import { EmptyNote } from '../parts/notes.tsx';
import { Table } from '../parts/table.tsx';
import { type Additions, nodeKey, ofFunds, ofParties, ofPath, ofTerminals } from '../scene/additions.ts';
import { keysOfRow } from '../scene/rows.ts';
import type { Boards, HopAnswer, OwnStatementRows } from '../service/answers.ts';
import { apiPath, call } from '../service/api.ts';
import type { AddressFunds, Exposures, FlowPaths, Relationship, Terminals } from '../service/tracing-answers.ts';
import { useAnswer } from '../service/use-answer.ts';

const HOPS_MAX = 10;

/** `#/query`, `#/query/<question>`: the product's questions to the graph with their Cypher, or a statement of one's own. */
export function QueryPage({ route }: { route: Route }) {
  const texts = words().query;
  const [question, setQuestion] = useState(route.parts[0] ?? 'exposure');
  return (
    <>
      <h1>{texts.title}</h1>
      <section class="card">
        <Field label={texts.question}>
          <ChoiceSelect value={question} choices={texts.questions} onChange={setQuestion} />
        </Field>
        {question === 'own' ? (
          <OwnStatement />
        ) : (
          <QuestionForm key={question} question={question as GraphQuestionName} />
        )}
      </section>
    </>
  );
}

function QuestionForm({ question }: { question: GraphQuestionName }) {
  const texts = words().query;
  const [answer, setAnswer] = useState<QuestionAnswer | null>(null);
  const run = async (fields: FormData) => {
    setAnswer(null);
    const asked = await askQuestion(question, {
      address: given(fields, 'address') ?? '',
      chain: given(fields, 'chain'),
      second: given(fields, 'second'),
      secondChain: given(fields, 'second_chain'),
      direction: given(fields, 'direction') === 'received' ? 'received' : 'sent',
      hops: Number(given(fields, 'hops') ?? 5),
    });
    setAnswer(asked);
  };
  return (
    <>
      <Form label={texts.questions[question]} submit={texts.run} keeps onSubmit={run}>
        <div class="fields">
          <AddressFields />
          {isPairQuestion(question) && (
            <>
              <Field label={texts.second}>
                <input name="second" required spellcheck={false} autocomplete="off" />
              </Field>
              <Field label={texts.secondChain}>
                <ChoiceSelect name="second_chain" none={words().parts.detect} choices={CHAIN_CHOICES} />
              </Field>
            </>
          )}
          {question === 'funds' && (
            <Field label={texts.direction}>
              <ChoiceSelect name="direction" choices={texts.directions} initial="sent" />
            </Field>
          )}
          {question !== 'relationship' && (
            <Field label={texts.hops}>
              <input name="hops" type="number" min={1} max={HOPS_MAX} defaultValue="5" />
            </Field>
          )}
        </div>
      </Form>
      {answer && <QuestionAnswerView answer={answer} />}
    </>
  );
}

const START =
  'MATCH (a:Address {key: $key})-[t:TRANSFER]->(b:Address)\nRETURN b.key AS to, b.category AS category, sum(t.usd) AS usd\nORDER BY usd DESC LIMIT 50';
const START_PARAMS = '{"key": "ethereum:0x…"}';
const SHOWN = 200;

interface PlacedRow {
  values: unknown[];
  place: number;
}

/** A statement of the analyst's own, and its rows. */
function OwnStatement() {
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

/** The ends or paths that answer a question, and the Cypher of it. */
function QuestionAnswerView({ answer }: { answer: QuestionAnswer }) {
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

type GraphQuestionName = 'exposure' | 'funds' | 'terminals' | 'flow-path' | 'relationship';

function isPairQuestion(question: string): boolean {
  return question === 'flow-path' || question === 'relationship';
}

interface QuestionFields {
  address: string;
  chain?: string;
  second?: string;
  secondChain?: string;
  direction: 'sent' | 'received';
  hops: number;
}

/** An end of money. */
interface QuestionRow {
  direction: 'sent' | 'received';
  /** Why the money ends there; null at a labelled party. */
  end: string | null;
  category: BadgeCategory | null;
  chain: string | null;
  address: string | null;
  label: string | null;
  usd: number;
  share: number | null;
  hops: number;
}

interface QuestionAnswer {
  rows: QuestionRow[];
  paths: HopAnswer[][];
  note: string | null;
  cypher: string | undefined;
  /** The same for a canvas. */
  drawn: CarriedAnswer;
}

/** Asks the product's question, with the statements by which it is answered. */
async function askQuestion(question: GraphQuestionName, given: QuestionFields): Promise<QuestionAnswer> {
  const { address, chain, second, secondChain, direction, hops } = given;
  const query = { chain, max_hops: hops, cypher: 'on', lang: language.value };
  switch (question) {
    case 'exposure': {
      const answer = await call<Exposures>(apiPath`/exposure/${address}`, { query });
      const rows = [...answer.direct, ...answer.indirect].flatMap(({ top, category, ...bucket }) =>
        top.map((party) => ({ ...party, category, direction: bucket.direction, end: null, share: null })),
      );
      return { ...answered(answer, ofParties(answer)), rows };
    }
    case 'funds': {
      const answer = await call<AddressFunds>(apiPath`/graph/funds/${address}`, { query: { ...query, direction } });
      const rows = answer.rows.map((row) => ({ ...row, direction, end: row.kind === 'party' ? null : row.kind }));
      return { ...answered(answer, ofFunds(answer)), rows };
    }
    case 'terminals': {
      const answer = await call<Terminals>(apiPath`/exposure/${address}/terminals`, { query });
      const rows = answer.terminals.map((row) => ({ ...row, direction: 'sent' as const, end: null, share: null }));
      return { ...answered(answer, ofTerminals(answer)), rows };
    }
    case 'flow-path': {
      const pair = { from_address: address, to_address: second, chain, to_chain: secondChain };
      const body = { ...pair, max_hops: hops, cypher: 'on' };
      const answer = await call<FlowPaths>('/graph/flow-path', { method: 'POST', body });
      return ofWays(
        answer,
        answer.from_address,
        answer.paths.map((path) => path.hops),
      );
    }
    case 'relationship': {
      const body = { address_a: address, address_b: second, chain, chain_b: secondChain, cypher: 'on' };
      const answer = await call<Relationship>('/graph/relationship-check', { method: 'POST', body });
      return ofWays(answer, answer.address_a, answer.shortest_path ? [answer.shortest_path.hops] : []);
    }
  }
}

interface Answered {
  chain: string;
  note: string | null;
  cypher?: string;
}

function answered({ chain, address, note, cypher }: Answered & { address: string }, additions: Additions) {
  return { paths: [], note, cypher, drawn: { start: nodeKey(chain, address), additions } };
}

function ofWays(answer: Answered, address: string, paths: HopAnswer[][]): QuestionAnswer {
  return { ...answered({ ...answer, address }, ofPath(paths.flat())), rows: [], paths };
}

/** Draws an answer on a new canvas, or adds it to a saved board. */
function ToCanvas({ carried }: { carried: CarriedAnswer }) {
  const texts = words().query;
  const [board, setBoard] = useState('');
  const { answer } = useAnswer<Boards>((signal) => call('/boards', { query: { limit: 200 }, signal }), []);
  const boards = Object.fromEntries((answer?.boards ?? []).map(({ id, title }) => [id, title]));
  return (
    <>
      <ChoiceSelect
        aria-label={texts.canvas}
        value={board}
        none={texts.newCanvas}
        choices={boards}
        onChange={setBoard}
      />
      <button type="button" onClick={() => carryToCanvas(carried, board)}>
        {texts.toCanvas}
      </button>
    </>
  );
}
