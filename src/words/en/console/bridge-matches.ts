/** Decisions on likely other sides of bridges. */

export const bridgeMatches = {
  decide: 'Decide on the likely arrival',
  change: 'Change the decision',
  arrival: 'Likely arrival',
  reason: 'Reason (required)',
  confirmed: 'Confirm',
  rejected: 'Reject',
  withdrawn: 'Withdraw',
  done: {
    confirmed: 'Confirmed: your next answers follow the money there.',
    rejected: 'Rejected: your next answers end at the bridge.',
    withdrawn: 'Withdrawn: your next answers show it as likely.',
  },
};

export type BridgeMatchesWords = typeof bridgeMatches;
