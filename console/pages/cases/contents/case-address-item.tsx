import { chainName } from '../../../../src/domain/chain.ts';
import { momentText, percentOnLine } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Field } from '../../../parts/field.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { ConfirmButton } from '../../../parts/form/confirm-button.tsx';
import { Form, given } from '../../../parts/form/form.tsx';
import { LevelBadge } from '../../../parts/level-badge.tsx';
import { ErrorNote } from '../../../parts/notes.tsx';
import type { CaseAddress, CaseDisposition } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';
import { AddressDetections } from './address-detections.tsx';

interface CaseAddressItemProps {
  address: CaseAddress;
  /** Of this address. */
  dispositions: CaseDisposition[];
  onChanged: () => void;
}

/** An address of a case: its role, the result of its newest scan, and its notes. */
export function CaseAddressItem({ address, dispositions, onChanged }: CaseAddressItemProps) {
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
      <p class="muted">{factsOf(address).join(' · ')}</p>
      {address.investigator_notes && <p class="text">{address.investigator_notes}</p>}
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
            <textarea name="investigator_notes" rows={3} maxLength={10_000} defaultValue={address.investigator_notes} />
          </Field>
        </Form>
        <ConfirmButton
          label={texts.take}
          about={address.address}
          disabled={remove.busy}
          onConfirm={() => remove.run()}
        />
      </details>
      <ErrorNote error={remove.error} />
    </article>
  );
}

function factsOf({ hop_distance, last_scanned_at, last_attributed }: CaseAddress): string[] {
  const texts = words().cases;
  return [
    hop_distance === null ? texts.hopsUnknown : hop_distance > 0 && texts.hopsAway(hop_distance),
    last_scanned_at ? texts.scannedAt(momentText(last_scanned_at)) : texts.notScanned,
    last_attributed && texts.known(percentOnLine(last_attributed.received), percentOnLine(last_attributed.sent)),
  ].filter((fact): fact is string => Boolean(fact));
}
