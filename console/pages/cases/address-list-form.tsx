import papaparse from 'papaparse';
import { useState } from 'preact/hooks';
import { CHAINS, type Chain, chainName } from '../../../src/domain/chain.ts';
import { bracketed, labelled, words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { ApiError, apiPath, call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';

/** Addresses of one go: each is a call, and more would meet the limit of requests. */
const ONE_GO_MAX = 200;
const TEXT_MAX = 200_000;

interface Outcome {
  added: number;
  /** Number of addresses that the case held already. */
  held: number;
  /** Lines that were not taken, with the reason; they stay in the field. */
  left: { line: number; text: string; reason: string }[];
}

/** Puts the addresses of a pasted list or a file into a case, and says which lines it did not understand. */
export function AddressListForm({ caseId, onAdded }: { caseId: string; onAdded: () => void }) {
  const texts = words().cases;
  const [text, setText] = useState('');
  // Which lines of the list stayed in the field; none once its text was changed.
  const [lineNumbers, setLineNumbers] = useState<number[]>([]);
  const numberOf = (line: number) => lineNumbers[line - 1] ?? line;
  const write = (given: string) => {
    setText(given);
    setLineNumbers([]);
  };
  const [role, setRole] = useState('intermediary');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { header, entries, unread } = readAddressList(text.slice(0, TEXT_MAX), Object.keys(texts.roles));
  const put = async ({ address, chain, label, role: own = role }: ListedAddress) => {
    const body = { address, chain, label, role: own };
    await call(apiPath`/cases/${caseId}/addresses`, { method: 'POST', body });
  };
  const add = useAction(async () => {
    const done: Outcome = { added: 0, held: 0, left: unread.map((one) => ({ ...one, reason: texts.list.unread })) };
    let next = 0;
    try {
      for (; next < Math.min(entries.length, ONE_GO_MAX); next++) {
        const entry = entries[next] as ListedAddress;
        const refusal = await put(entry).then(() => null, refusalOf);
        if (refusal === null) done.added++;
        else if (refusal.status === 409) done.held++;
        else done.left.push({ ...entry, reason: refusal.message });
      }
    } finally {
      const later = entries.slice(next).map((one) => ({ ...one, reason: texts.list.later }));
      const left = [...done.left, ...later].sort((a, b) => a.line - b.line);
      const kept = [...new Map(left.map((one) => [one.line, one])).values()];
      // The header says what the columns of the other lines are.
      const lines = header && kept.length > 0 ? [header, ...kept] : kept;
      setText(lines.map((one) => one.text).join('\n'));
      setLineNumbers(lines.map((one) => numberOf(one.line)));
      setOutcome({ ...done, left: left.map((one) => ({ ...one, line: numberOf(one.line) })) });
      if (done.added > 0) onAdded();
    }
  });
  const readFile = async ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    const [file] = input.files ?? [];
    if (file) write((await file.slice(0, TEXT_MAX).text()).trimEnd());
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void add.run();
  };
  return (
    <form aria-label={texts.list.title} onSubmit={submit}>
      <Field label={texts.list.entries} hint={texts.list.hint(ONE_GO_MAX)}>
        <textarea
          rows={5}
          maxLength={TEXT_MAX}
          spellcheck={false}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
      </Field>
      <div class="fields">
        <Field label={words().checks.chooseFile}>
          <input type="file" accept=".csv,.txt,text/csv,text/plain" onChange={readFile} />
        </Field>
        <Field label={texts.list.role}>
          <ChoiceSelect value={role} choices={texts.roles} onChange={setRole} />
        </Field>
      </div>
      <ErrorNote error={add.error} />
      <div class="row center">
        <button type="submit" class="primary" disabled={add.busy || entries.length === 0}>
          {texts.list.add}
        </button>
        <span class="muted" role="status">
          {outcome && !add.busy ? texts.list.done(outcome.added, outcome.held) : ''}
          {text !== '' && ` ${texts.list.read(entries.length, unread.length)}`}
        </span>
      </div>
      {outcome && outcome.left.length > 0 && <Left lines={outcome.left} />}
    </form>
  );
}

/** Lines shown with their reason; the field holds them all. */
const SHOWN_MAX = 20;

function Left({ lines }: { lines: Outcome['left'] }) {
  const texts = words().cases.list;
  return (
    <div role="status">
      <p>{bracketed(texts.left, lines.length)}</p>
      <ul>
        {lines.slice(0, SHOWN_MAX).map(({ line, text, reason }) => (
          <li key={`${line} ${reason}`}>
            {labelled(texts.line(line), reason)} <code>{text.slice(0, 120)}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the refusal of one line; throws all else, such as too many requests, which ends the list. */
function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError && [400, 409, 422].includes(error.status)) return error;
  throw error;
}

interface Line {
  /** 1 for the first. */
  line: number;
  text: string;
}

interface ReadAddress {
  address: string;
  chain?: Chain;
  role?: string;
  label?: string;
}

/** An address of a list, with the line that names it. */
interface ListedAddress extends ReadAddress, Line {}

interface AddressList {
  /** The line that names the columns of a CSV; null for other text. */
  header: Line | null;
  entries: ListedAddress[];
  /** Lines without an address, or with a chain that is not served. */
  unread: Line[];
}

/** From 25 characters (XRP) to 64 (none is longer); whether it is an address of its chain says the service. */
const ADDRESS = /^[0-9A-Za-z]{25,64}$/;
const BETWEEN = /[\s,;|"'()<>[\]]+/;

/**
 * Reads an address list, line by line: CSV whose header names `address`, and `chain`, `role` and `label` if it likes;
 * or any text, of which each line counts that holds addresses, with the chain that it names. Empty lines are left out.
 */
function readAddressList(text: string, roles: readonly string[]): AddressList {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((one, at) => ({ line: at + 1, text: one.trim() }))
    .filter((one) => one.text !== '');
  const { delimiter } = papaparse.parse(lines.map((one) => one.text).join('\n'), { preview: 10 }).meta;
  const cellsOf = (line: string) =>
    (papaparse.parse<string[]>(line, { delimiter }).data[0] ?? []).map((one) => one.trim());
  const names = cellsOf(lines[0]?.text ?? '').map((name) => name.toLowerCase());
  const isTable = names.includes('address');
  const list: AddressList = { header: isTable ? lines[0]! : null, entries: [], unread: [] };
  for (const line of isTable ? lines.slice(1) : lines) {
    const found = isTable ? ofCells(names, cellsOf(line.text), roles) : ofText(line.text);
    if (found.length === 0) list.unread.push(line);
    list.entries.push(...found.map((one) => ({ ...line, ...one })));
  }
  return list;
}

function ofCells(names: string[], cells: string[], roles: readonly string[]): ReadAddress[] {
  const value = (name: string) => cells[names.indexOf(name)] || undefined;
  const [address = '', chain] = [value('address'), value('chain')];
  const served = chain === undefined ? undefined : chainOf(chain);
  if (!ADDRESS.test(address) || (chain !== undefined && served === undefined)) return [];
  const role = roles.find((one) => one === value('role')?.toLowerCase());
  return [{ address, chain: served, role, label: value('label')?.slice(0, 200) }];
}

function ofText(line: string): ReadAddress[] {
  const parts = line.split(BETWEEN).map((part) => part.replace(/^.*:(?=.)|[.:!?]+$/g, ''));
  const chain = parts.map(chainOf).find((one) => one !== undefined);
  return parts.filter((part) => ADDRESS.test(part)).map((address) => ({ address, chain }));
}

function chainOf(text: string): Chain | undefined {
  const name = text.toLowerCase();
  return CHAINS.find((chain) => chain === name || chainName(chain).toLowerCase() === name);
}
