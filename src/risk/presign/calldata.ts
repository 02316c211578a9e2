import type { CalldataFault, CalledAction } from '../../domain/calldata/calldata.ts';
import { isValidAt } from '../../domain/label.ts';
import { PRESIGN } from '../rules.ts';
import type { PresignCase, PresignFinding, PresignSignal } from './case.ts';
import { isLabelled } from './labels.ts';

const DAY_S = 86_400n;
const CENTURY_S = 36_525n * DAY_S;

/** What the calls themselves mean, whoever the parties are. */
export function actionFindings(known: PresignCase): PresignFinding[] {
  return (known.calldata?.actions ?? []).flatMap((action) => findingsOf(known, action));
}

function findingsOf(known: PresignCase, action: CalledAction): PresignFinding[] {
  const at = action.contract ?? known.to;
  switch (action.kind) {
    case 'move':
      return moveFindings(known, action);
    case 'grant':
      return grantFindings(known, action);
    case 'revoke':
      return [{ signals: ['revocation'], score: 0, blocking: false, reason: null }];
    case 'lifetime': {
      const left = action.until - BigInt(Math.floor(known.asOf / 1_000));
      if (left <= BigInt(PRESIGN.lifetime_days) * DAY_S) return [];
      const long = left > CENTURY_S ? 'for ever' : `for ${left / DAY_S} days`;
      return [
        warn('long_permit', `${action.call} at ${at} can be used ${long}, longer than ${PRESIGN.lifetime_days} days.`),
      ];
    }
    case 'lure': {
      const pays = action.value === null ? known.carriesValue : action.value > 0n;
      if (!pays) return [];
      return [
        warn('payable_lure', `${action.call}() at ${at} takes coins and gives nothing that it names: a common lure.`),
      ];
    }
    case 'control':
      return [
        warn('control_change', `${action.call} at ${at} gives ${action.to} control over a contract or its code.`),
      ];
    case 'target':
      return [];
  }
}

/** Assets of another than the signer or the calling contract, moved without that owner's signature. */
function moveFindings(known: PresignCase, action: CalledAction & { kind: 'move' }): PresignFinding[] {
  const { owner, to, call, caller } = action;
  if (owner === null || action.signed || owner === to || owner === known.signer || owner === caller) return [];
  if (known.signer === null) {
    return [warn('unknown_owner', `${call} moves assets of ${owner}; no signer was named, so whose they are is open.`)];
  }
  if (isLabelled(known.labelsOf(to), known.asOf)) return [];
  const reason = `${call} moves assets of ${owner}, who is not the signer, to ${to}, about which nothing is known.`;
  return [{ ...warn('foreign_transfer', reason), blocking: true }];
}

function grantFindings(known: PresignCase, action: CalledAction & { kind: 'grant' }): PresignFinding[] {
  const { spender, amount, bits } = action;
  const call = `${action.call} at ${action.contract ?? known.to}`;
  if (action.collection) {
    const trusted = known
      .labelsOf(spender)
      .some((label) => label.category === 'whitelist' && isValidAt(label, known.asOf));
    if (trusted) return [];
    return [warn('operator_approval', `${call} lets ${spender} move every token of the collection, now and later.`)];
  }
  const endless = 2n ** BigInt(bits - PRESIGN.unlimited_top_bits);
  if (amount !== null && amount < endless) return [];
  return [warn('unlimited_approval', `${call} lets ${spender} take any amount of the token, now and later.`)];
}

function warn(signal: Extract<PresignSignal, keyof typeof PRESIGN.score>, reason: string): PresignFinding {
  return { signals: [signal], score: PRESIGN.score[signal], blocking: false, reason };
}

const FAULTS: Record<CalldataFault['fault'], string> = {
  not_hex: 'Calldata is not hexadecimal',
  no_selector: 'Calldata is too short to name a call',
  unknown_call: 'Calldata holds an unknown call',
  too_deep: 'Calldata nests calls too deeply',
  too_many: 'Calldata holds too many calls or items',
  truncated: 'Calldata ends before its arguments do',
  dirty: 'Calldata has arguments with bits that should be zero',
  overlong: 'Calldata goes on after its arguments',
  no_calldata_chain: 'Calldata of this chain cannot be read',
};

/** What could not be read in full, which makes a verdict unknown. */
export function faultFindings({ fault, call }: CalldataFault): PresignFinding {
  const where = call === null ? '' : ` (${call})`;
  return { signals: ['undecodable'], score: null, blocking: false, reason: `${FAULTS[fault]}${where}.` };
}
