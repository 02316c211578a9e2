import { useState } from 'preact/hooks';
import { count, percentOnLine } from '../../browser/figures.ts';
import { goTo, linkTo } from '../../browser/route.ts';
import { language, words } from '../../browser/words.ts';
import { AddressText, CopyText } from '../../parts/address-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { Field } from '../../parts/field.tsx';
import { CHAIN_CHOICES } from '../../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { EmptyNote } from '../../parts/notes.tsx';
import { SectionLinks } from '../../parts/section-links.tsx';
import { Table } from '../../parts/table.tsx';
import type { PresignAnswer, ScreeningFound, TokenTransfersFound } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { BatchSection } from './batch-scan.tsx';

/** The sections of the scan page beside the single address, by the first part of their route. */
export const CHECKS = {
  batch: BatchSection,
  transaction: TransactionSection,
  token: TokenSection,
  presign: PresignSection,
};

export function isCheck(section: string): section is keyof typeof CHECKS {
  return Object.hasOwn(CHECKS, section);
}

/** The navigation of the scan page. */
export function CheckLinks({ shown }: { shown: string }) {
  const { kinds, sections } = words().checks;
  const links = Object.keys(CHECKS).map((name) => ({
    title: sections[name as keyof typeof CHECKS],
    href: linkTo('scan', [name]),
    shown: name === shown,
  }));
  const first = { title: sections.address, href: linkTo('scan'), shown: !isCheck(shown) };
  return <SectionLinks label={kinds} links={[first, ...links]} />;
}

/** `#/scan/transaction` leads to `#/scan/<chain>/<hash>`, which scans both sides. */
function TransactionSection() {
  const texts = words().checks;
  const { parts } = words();
  const scan = async (fields: FormData) =>
    goTo(linkTo('scan', [given(fields, 'chain') ?? '', given(fields, 'hash') ?? '']));
  return (
    <section class="card">
      <Form label={texts.sections.transaction} submit={texts.scanBoth} onSubmit={scan}>
        <div class="fields">
          <Field label={texts.hash} hint={texts.costsTwo}>
            <input name="hash" required spellcheck={false} autocomplete="off" />
          </Field>
          <Field label={parts.chain}>
            <ChoiceSelect name="chain" required none={parts.chooseChain} choices={CHAIN_CHOICES} />
          </Field>
        </div>
      </Form>
    </section>
  );
}

const OPTIONAL = ['signer', 'spender', 'value', 'data'] as const;

/** `#/scan/presign`: what speaks against signing a transaction. */
function PresignSection() {
  const texts = words().checks;
  const { parts } = words();
  const [answer, setAnswer] = useState<PresignAnswer | null>(null);
  const check = async (fields: FormData) => {
    setAnswer(null);
    const named = Object.fromEntries(['chain', 'to', ...OPTIONAL].map((name) => [name, given(fields, name)]));
    setAnswer(await call<PresignAnswer>('/public/presign/check', { query: { ...named, lang: language.value } }));
  };
  return (
    <>
      <section class="card">
        <p class="muted">{texts.free}</p>
        <Form label={texts.sections.presign} submit={texts.check} keeps onSubmit={check}>
          <div class="fields">
            <Field label={texts.to}>
              <input name="to" required spellcheck={false} autocomplete="off" />
            </Field>
            <Field label={parts.chain}>
              <ChoiceSelect name="chain" required none={parts.chooseChain} choices={CHAIN_CHOICES} />
            </Field>
            {OPTIONAL.map((name) => (
              <Field key={name} label={texts[name]} hint={name === 'signer' ? texts.signerHint : undefined}>
                <input name={name} spellcheck={false} autocomplete="off" />
              </Field>
            ))}
          </div>
        </Form>
      </section>
      {answer && (
        <section class="card" aria-labelledby="presign">
          <h2 id="presign" class={`verdict-${answer.verdict}`}>
            {texts.verdicts[answer.verdict]}
          </h2>
          <div class="row center">
            <LevelBadge level={answer.level.toUpperCase() as Uppercase<PresignAnswer['level']>} score={answer.score} />
            <span class="muted">{texts.confidence(percentOnLine(answer.confidence))}</span>
          </div>
          <h3>{texts.reasons}</h3>
          {answer.reasons.length === 0 ? (
            <EmptyNote text={texts.noReasons} />
          ) : (
            <ul>
              {answer.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
        </section>
      )}
    </>
  );
}

const DAY_MS = 86_400_000;
const SPAN_DAYS = 30;

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** `#/scan/token`: the transfers of a token at an address, or who stands out in all its transfers. */
function TokenSection() {
  const texts = words().checks;
  const { parts } = words();
  const [answer, setAnswer] = useState<{ transfers?: TokenTransfersFound; screening?: ScreeningFound }>({});
  const ask = async (fields: FormData) => {
    setAnswer({});
    const address = given(fields, 'address');
    const body = {
      token_contract: given(fields, 'token'),
      chain: given(fields, 'chain'),
      start_date: given(fields, 'from'),
      end_date: `${given(fields, 'to')}T23:59:59Z`,
      lang: language.value,
    };
    setAnswer(
      address
        ? { transfers: await call<TokenTransfersFound>('/tx-query', { method: 'POST', body: { ...body, address } }) }
        : { screening: await call<ScreeningFound>('/contract-alert', { method: 'POST', body }) },
    );
  };
  return (
    <>
      <section class="card">
        <Form label={texts.sections.token} submit={texts.ask} keeps onSubmit={ask}>
          <div class="fields">
            <Field label={texts.token} hint={texts.tokenHint}>
              <input name="token" required spellcheck={false} autocomplete="off" />
            </Field>
            <Field label={texts.ofAddress}>
              <input name="address" spellcheck={false} autocomplete="off" />
            </Field>
            <Field label={parts.chain}>
              <ChoiceSelect name="chain" none={parts.detect} choices={CHAIN_CHOICES} />
            </Field>
            <Field label={texts.fromDay} hint={texts.spanHint}>
              <input name="from" type="date" required defaultValue={dayBefore(SPAN_DAYS)} />
            </Field>
            <Field label={texts.toDay}>
              <input name="to" type="date" required defaultValue={dayBefore(0)} />
            </Field>
          </div>
        </Form>
      </section>
      {answer.transfers && <TransfersAnswer answer={answer.transfers} />}
      {answer.screening && <ScreeningAnswer answer={answer.screening} />}
    </>
  );
}

/** Transfers of a token at one address, with sums by counterparty. */
function TransfersAnswer({ answer }: { answer: TokenTransfersFound }) {
  const texts = words().checks;
  const { parts } = words();
  const amount = (value: number) => `${count(value)} ${answer.token_symbol ?? ''}`;
  return (
    <>
      <section class="card" aria-labelledby="token-counterparties">
        <h2 id="token-counterparties">{texts.counterparties}</h2>
        {answer.note && <p class="note">{answer.note}</p>}
        <Table
          caption={texts.counterparties}
          rows={answer.counterparties}
          keyOf={(one) => one.address}
          empty={texts.noTransfers}
          columns={[
            { title: parts.address, cell: (one) => <AddressText chain={answer.chain} address={one.address} /> },
            {
              title: words().scan.label,
              cell: (one) => (
                <>
                  <CategoryBadge category={one.category} /> {one.label}
                </>
              ),
            },
            { title: texts.sentTo, cell: (one) => amount(one.sent_amount), numeric: true },
            { title: texts.receivedFrom, cell: (one) => amount(one.received_amount), numeric: true },
          ]}
        />
      </section>
      <section class="card" aria-labelledby="token-transfers">
        <h2 id="token-transfers">{texts.transfers}</h2>
        <Table
          caption={texts.transfers}
          rows={answer.transfers}
          keyOf={(one) => `${one.tx_hash} ${one.from_address} ${one.to_address} ${one.amount}`}
          empty={texts.noTransfers}
          columns={[
            { title: parts.when, cell: (one) => <MomentText at={one.timestamp} /> },
            { title: parts.from, cell: (one) => <AddressText chain={answer.chain} address={one.from_address} /> },
            { title: parts.to, cell: (one) => <AddressText chain={answer.chain} address={one.to_address} /> },
            { title: parts.amount, cell: (one) => amount(one.amount), numeric: true },
            { title: parts.transaction, cell: (one) => <CopyText text={one.tx_hash} /> },
          ]}
        />
      </section>
    </>
  );
}

/** Addresses that stand out in all transfers of a token. */
function ScreeningAnswer({ answer }: { answer: ScreeningFound }) {
  const texts = words().checks;
  const { parts } = words();
  return (
    <section class="card" aria-labelledby="token-sweep">
      <h2 id="token-sweep">{texts.flagged}</h2>
      {answer.note && <p class="note">{answer.note}</p>}
      <Table
        caption={texts.flagged}
        rows={answer.flagged_addresses}
        keyOf={(one) => `${one.address} ${one.pattern_type}`}
        empty={texts.noneFlagged}
        columns={[
          { title: parts.address, cell: (one) => <AddressText chain={answer.chain} address={one.address} /> },
          { title: words().scan.reason, cell: (one) => one.reason },
          { title: parts.transaction, cell: (one) => <CopyText text={one.sample_tx_hash} /> },
        ]}
      />
    </section>
  );
}
