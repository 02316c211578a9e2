/** Notes of an answer about exposure; `{…}` is filled in. */
export const exposure = {
  out_of_time: 'The search ran out of time before it found anything. Ask again, or with fewer hops.',
  no_transfers: 'The graph holds no transfers of this address.',
  not_scanned: 'You have not scanned this address yet: only transfers seen in other scans are counted.',
  hop_limit: '{usd} USD was not followed beyond hop {hops} (max_hops).',
  relays: 'Wallets with one way in and one way out cost no hop, up to {steps} steps a way.',
  likely: '{usd} USD was followed over bridges whose other side is only likely (likely_matches=follow).',
  open: '{usd} USD was followed over bridges by statements that anybody can make (bridge_open).',
};

export type ExposureWords = typeof exposure;
