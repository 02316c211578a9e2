import { useState } from 'preact/hooks';
import { chainName } from '../../../src/domain/chain.ts';
import { ownAuthor } from '../../../src/domain/label.ts';
import { momentText, percentOnLine } from '../../browser/figures.ts';
import { bracketed, language, words } from '../../browser/words.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { Field } from '../../parts/field.tsx';
import { AddressFields } from '../../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { useFourEyes } from '../../parts/four-eyes.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/notes.tsx';
import { Pager } from '../../parts/pager.tsx';
import type {
  CaseAddresses as AddressPage,
  CaseAddress,
  CaseDisposition,
  Scan,
  ScanDetection,
} from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { AddressListForm } from './address-list-form.tsx';

interface CaseAddressesProps {
  caseId: string;
  page: AddressPage;
  onOffset: (offset: number) => void;
  onChanged: () => void;
}

const LAST = Number.POSITIVE_INFINITY;

/** Subjects first, then along the money; of one distance the newest first. */
function byPart(a: CaseAddress, b: CaseAddress): number {
  const isLater = Number(a.role !== 'subject') - Number(b.role !== 'subject');
  return isLater || (a.hop_distance ?? LAST) - (b.hop_distance ?? LAST) || 0;
}

/** One page of the addresses: the newest of the case, or those before. */
export function CaseAddressSection({ caseId, page, onOffset, onChanged }: CaseAddressesProps) {
  const { addresses, dispositions, total } = page;
  const texts = words().cases;
  return (
    <section class="card" aria-labelledby="case-addresses">
      <h2 id="case-addresses">{bracketed(texts.addresses, total)}</h2>
      {total === 0 && <EmptyNote text={texts.noAddresses} />}
      <div class="folds">
        <details class="add" open={total === 0}>
          <summary>{texts.addAddress}</summary>
          <AddressForm caseId={caseId} onAdded={onChanged} />
        </details>
        <details class="add">
          <summary>{texts.list.title}</summary>
          <AddressListForm caseId={caseId} onAdded={onChanged} />
        </details>
      </div>
      {addresses.toSorted(byPart).map((address) => (
        <CaseAddressItem
          key={address.id}
          address={address}
          dispositions={dispositions.filter(({ address_id }) => address_id === address.id)}
          onChanged={onChanged}
        />
      ))}
      <Pager page={page} onOffset={onOffset} />
    </section>
  );
}

/** Adds an address to a case. */
function AddressForm({ caseId, onAdded }: { caseId: string; onAdded: () => void }) {
  const texts = words().cases;
  const add = async (fields: FormData) => {
    const body = Object.fromEntries(
      ['address', 'chain', 'role', 'label', 'investigator_notes'].map((name) => [name, given(fields, name)]),
    );
    await call(apiPath`/cases/${caseId}/addresses`, { method: 'POST', body });
    onAdded();
  };
  return (
    <Form label={texts.addAddress} submit={texts.add} onSubmit={add}>
      <div class="fields">
        <AddressFields />
        <Field label={texts.role}>
          <ChoiceSelect name="role" choices={texts.roles} initial="subject" />
        </Field>
        <Field label={texts.label}>
          <input name="label" maxLength={200} />
        </Field>
      </div>
      <Field label={texts.ownNotes}>
        <textarea name="investigator_notes" rows={2} maxLength={10_000} />
      </Field>
    </Form>
  );
}

interface CaseAddressItemProps {
  address: CaseAddress;
  /** Dispositions of this address. */
  dispositions: CaseDisposition[];
  onChanged: () => void;
}

/** An address of a case: its role, the result of its newest scan, and its notes. */
function CaseAddressItem({ address, dispositions, onChanged }: CaseAddressItemProps) {
  const texts = words().cases;
  const path = apiPath`/cases/${address.case_id}/addresses/${address.id}`;
  const save = async (fields: FormData) => {
    const body = {
      role: given(fields, 'role'),
      label: given(fields, 'label') ?? null,
      hop_distance: given(fields, 'hop_distance') === undefined ? null : Number(given(fields, 'hop_distance')),
      investigator_notes: given(fields, 'investigator_notes') ?? null,
    };
    await call(path, { method: 'PATCH', body });
    onChanged();
  };
  const remove = useAction(async () => {
    await call(path, { method: 'DELETE' });
    onChanged();
  });
  return (
    <article class="entry" aria-label={address.address}>
      <div class="row center">
        <LevelBadge level={address.last_risk_level ?? 'UNKNOWN'} />
        <AddressText chain={address.chain} address={address.address} />
        <span>{chainName(address.chain)}</span>
        <span class="badge">{texts.roles[address.role]}</span>
        {address.label}
      </div>
      <ListNames labels={address.labels} />
      <p class="muted">{factsOf(address).join(' · ')}</p>
      {address.investigator_notes && <p class="text">{address.investigator_notes}</p>}
      <div class="folds">
        {address.last_scan_id && (
          <AddressDetections
            address={address}
            scanId={address.last_scan_id}
            dispositions={dispositions}
            onJudged={onChanged}
          />
        )}
        <details>
          <summary>{texts.edit}</summary>
          <Form label={`${texts.edit}: ${address.address}`} submit={texts.save} onSubmit={save}>
            <div class="fields">
              <Field label={texts.role}>
                <ChoiceSelect name="role" choices={texts.roles} initial={address.role} />
              </Field>
              <Field label={texts.label}>
                <input name="label" maxLength={200} defaultValue={address.label ?? ''} />
              </Field>
              <Field label={texts.hops}>
                <input name="hop_distance" type="number" min={0} max={100} defaultValue={address.hop_distance ?? ''} />
              </Field>
            </div>
            <Field label={texts.ownNotes}>
              <textarea
                name="investigator_notes"
                rows={3}
                maxLength={10_000}
                defaultValue={address.investigator_notes}
              />
            </Field>
          </Form>
          <ConfirmButton
            label={texts.take}
            about={address.address}
            disabled={remove.busy}
            onConfirm={() => remove.run()}
          />
        </details>
      </div>
      <ErrorNote error={remove.error} />
    </article>
  );
}

/** Says what lists, and the account itself, call an address; nothing where none names it. */
function ListNames({ labels }: { labels: CaseAddress['labels'] }) {
  if (labels.length === 0) return null;
  return (
    <ul class="list-names" aria-label={words().profile.whoSays}>
      {labels.map(({ label, category, source }) => (
        <li key={`${source} ${label}`}>
          {label} <CategoryBadge category={category} /> <span class="muted">{sourceName(source)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Returns the name of a list, or who of the account wrote the label. */
function sourceName(source: string): string {
  const author = ownAuthor(source);
  return author === null ? source : words().profile.ownLabel(author);
}

function factsOf({ hop_distance, last_scanned_at, last_attributed }: CaseAddress): string[] {
  const texts = words().cases;
  return [
    hop_distance === null ? texts.hopsUnknown : hop_distance > 0 && texts.hopsAway(hop_distance),
    last_scanned_at ? texts.scannedAt(momentText(last_scanned_at)) : texts.notScanned,
    last_attributed && texts.known(percentOnLine(last_attributed.received), percentOnLine(last_attributed.sent)),
  ].filter((fact): fact is string => Boolean(fact));
}

interface AddressDetectionsProps {
  address: CaseAddress;
  /** The newest scan of the address. */
  scanId: string;
  /** Dispositions of this address. */
  dispositions: CaseDisposition[];
  onJudged: () => void;
}

/** The detections of an address with their judgements; they are loaded when they are first opened. */
function AddressDetections({ address, scanId, dispositions, onJudged }: AddressDetectionsProps) {
  const texts = words().cases;
  const [open, setOpen] = useState(false);
  const lang = language.value;
  const { answer, error, loading } = useAnswer<Scan | null>(
    async (signal) => (open ? call(apiPath`/public/scans/${scanId}`, { query: { lang }, signal }) : null),
    [open, scanId, lang],
  );
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.detections}</summary>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer?.detections.length === 0 && <EmptyNote text={texts.noDetections} />}
      {answer && answer.detections.length > 0 && <p class="muted">{texts.judgeNote}</p>}
      {answer?.detections.map((detection, n, all) => (
        <JudgedDetection
          key={`${detection.detector_id} ${n}`}
          address={address}
          detection={detection}
          isGrave={all.some((one) => one.detector_id === detection.detector_id && one.severity === 'CRITICAL')}
          disposition={dispositions.find(({ detector_id }) => detector_id === detection.detector_id)}
          onJudged={onJudged}
        />
      ))}
    </details>
  );
}

interface JudgedDetectionProps {
  address: CaseAddress;
  detection: ScanDetection;
  /** A judgement is on all detections of one detector: one of them is critical. */
  isGrave: boolean;
  /** Left out: nobody has judged it. */
  disposition: CaseDisposition | undefined;
  onJudged: () => void;
}

/** A detection, who judged it and why, and a form that judges it. */
function JudgedDetection({ address, detection, isGrave, disposition, onJudged }: JudgedDetectionProps) {
  const texts = words().cases;
  const fourEyes = useFourEyes('dismiss_critical');
  const judge = async (fields: FormData) => {
    const body = {
      address_id: address.id,
      detector_id: detection.detector_id,
      disposition: given(fields, 'disposition'),
      reason: given(fields, 'reason'),
    };
    const put = async () => {
      await call(apiPath`/cases/${address.case_id}/dispositions`, { method: 'PUT', body });
      onJudged();
    };
    await (isGrave && body.disposition === 'dismissed' ? fourEyes.doOrAsk(body, put) : put());
  };
  return (
    <div class="entry">
      <div class="row center">
        <LevelBadge level={detection.severity} />
        <strong>{detection.detector_name}</strong>
        {disposition && <span class="badge">{texts.judgements[disposition.disposition]}</span>}
      </div>
      <p>{detection.description}</p>
      {disposition && (
        <p class="muted">
          {[disposition.reason, disposition.author, momentText(disposition.created_at)].join(' · ')}
          {!disposition.in_force && ` · ${disposition.imported ? texts.judgedElsewhere : texts.ended}`}
        </p>
      )}
      <details>
        <summary>{texts.judge}</summary>
        <p class="muted">{texts.judgementEffects}</p>
        {isGrave && fourEyes.needed && <p class="note">{words().approvals.dismissalAsked}</p>}
        <Form
          label={`${texts.judge}: ${detection.detector_name}`}
          submit={texts.judge}
          disabled={isGrave && fourEyes.loading}
          onSubmit={judge}
        >
          <div class="fields">
            <Field label={texts.judgement}>
              <ChoiceSelect name="disposition" required choices={texts.judgements} none={texts.choose} />
            </Field>
            <Field label={texts.reason}>
              <input name="reason" required maxLength={10_000} />
            </Field>
          </div>
        </Form>
        {fourEyes.note}
      </details>
    </div>
  );
}
