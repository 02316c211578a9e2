import type { CalldataFault, CalledAction } from '../../domain/calldata/calldata.ts';
import { PRESIGN } from '../rules.ts';
import type { PresignCase, PresignFinding, PresignSignal, Reason } from './case.ts';
import { isLabelled, isWhitelisted } from './labels.ts';

const DAY_S = 86_400n;
const CENTURY_S = 36_525n * DAY_S;

/** Returns what the calls themselves mean, whoever the parties are. */
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
      const days = { left: left > CENTURY_S ? null : left / DAY_S, most: PRESIGN.lifetime_days };
      return [warn('long_permit', (texts) => texts.longPermit(action.call, at, days))];
    }
    case 'lure': {
      const pays = action.value === null ? known.carriesValue : action.value > 0n;
      if (!pays) return [];
      return [warn('payable_lure', (texts) => texts.payableLure(action.call, at))];
    }
    case 'control':
      return [warn('control_change', (texts) => texts.controlChange(action.call, at, action.to))];
    case 'target':
      return [];
  }
}

/** Assets of another than the signer or the calling contract, moved without that owner's signature. */
function moveFindings(known: PresignCase, action: CalledAction & { kind: 'move' }): PresignFinding[] {
  const { owner, to, call, caller } = action;
  if (owner === null || action.signed || owner === to || owner === known.signer || owner === caller) return [];
  if (known.signer === null) {
    return [warn('unknown_owner', (texts) => texts.unknownOwner(call, owner))];
  }
  if (isLabelled(known.labelsOf(to), known.asOf)) return [];
  return [{ ...warn('foreign_transfer', (texts) => texts.foreignTransfer(call, owner, to)), blocking: true }];
}

function grantFindings(known: PresignCase, action: CalledAction & { kind: 'grant' }): PresignFinding[] {
  const { spender, amount, bits, call } = action;
  const at = action.contract ?? known.to;
  if (action.collection) {
    if (isWhitelisted(known.labelsOf(spender), known.asOf)) return [];
    return [warn('operator_approval', (texts) => texts.operatorApproval(call, at, spender))];
  }
  const endless = 2n ** BigInt(bits - PRESIGN.unlimited_top_bits);
  if (amount !== null && amount < endless) return [];
  return [warn('unlimited_approval', (texts) => texts.unlimitedApproval(call, at, spender))];
}

function warn(signal: Extract<PresignSignal, keyof typeof PRESIGN.score>, reason: Reason): PresignFinding {
  return { signals: [signal], score: PRESIGN.score[signal], blocking: false, reason };
}

/** Returns what could not be read in full, which makes a verdict unknown. */
export function faultFindings({ fault, call }: CalldataFault): PresignFinding {
  return { signals: ['undecodable'], score: null, blocking: false, reason: (texts) => texts.undecodable(fault, call) };
}
