/** Notes of the account of the money; `{…}` is filled in. */
export const funds = {
  not_read:
    'The graph knows no transfers of this address in this direction. Scan it (GET /public/scan) or have its money followed (POST /graph/trace), then ask again.',
  no_subject: 'No address of the case has the role `subject`. Give it to those whose money is to be followed.',
  ends_at:
    'The money was not followed beyond {parties}, as label lists name them. To follow it on, add them to the case with the role "{role}": all subjects are one party.',
  subjects_unread:
    'You have not read {count} of the addresses yet: of those, only transfers seen elsewhere are counted.',
  subjects_max: 'Of {count} subjects the first {most} are followed.',
  exchanged:
    'Exchanges of its own inside one transaction count neither as received nor as sent: {usd} USD is left out of the total.',
  uncovered: 'Of what was sent, {usd} USD is not explained by what is known to have come in.',
  flows_max: 'Of {count} flows the largest {shown} are shown.',
  wallets_of_pro: 'Wallets that hold the money, and its flows, are shown from the Pro plan on.',
};

export type FundsWords = typeof funds;
