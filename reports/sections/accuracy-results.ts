// Written by `npm run bench -- accuracy`, never by hand.

export const ACCURACY = {
  ruleSetVersion: '2026.12.01',
  measuredOn: '2026-12-01',
  rows: [
    {
      id: 'attribution_ronin',
      rule: 'attribution',
      data: {
        name: 'Eth_Data: theft from the Ronin bridge',
        version: '3c66dcba0a6d',
        day: '2022-09-27',
      },
      misses: {
        count: 0,
        of: 52,
      },
      falseAlarms: {
        count: 0,
        of: 0,
      },
    },
    {
      id: 'levels_lists',
      rule: 'levels',
      data: {
        name: 'OFAC list of 0xB10C, phishing and exchanges of eth-labels',
        version: 'f2aee2265956, 6aff38d90cd1',
        day: '2024-09-27',
      },
      misses: {
        count: 0,
        of: 5742,
      },
      falseAlarms: {
        count: 0,
        of: 372,
      },
    },
    {
      id: 'levels_ronin',
      rule: 'levels',
      data: {
        name: 'Eth_Data: theft from the Ronin bridge',
        version: '3c66dcba0a6d',
        day: '2022-09-27',
      },
      falseAlarms: null,
      misses: {
        count: 0,
        of: 61,
      },
    },
    {
      id: 'levels_extract',
      rule: 'levels',
      data: {
        name: 'GraphSense extracts',
        version: '9b7ecfabc15f',
        day: '2022-06-21',
      },
      misses: null,
      falseAlarms: {
        count: 0,
        of: 999,
      },
    },
    {
      id: 'levels_lawful',
      rule: 'levels',
      misses: null,
      falseAlarms: {
        count: 0,
        of: 1000,
      },
    },
    {
      id: 'levels_far',
      rule: 'levels',
      falseAlarms: null,
      misses: {
        count: 0,
        of: 415,
      },
    },
    {
      id: 'levels_kinds',
      rule: 'levels',
      misses: {
        count: 0,
        of: 1400,
      },
      falseAlarms: {
        count: 0,
        of: 2140,
      },
    },
    {
      id: 'typology_fan_in',
      rule: 'typology:fan_in',
      misses: {
        count: 0,
        of: 100,
      },
      falseAlarms: {
        count: 3,
        of: 1000,
      },
    },
    {
      id: 'typology_rapid_distribution',
      rule: 'typology:rapid_distribution',
      misses: {
        count: 0,
        of: 100,
      },
      falseAlarms: {
        count: 0,
        of: 1000,
      },
    },
    {
      id: 'typology_fan_out',
      rule: 'typology:fan_out',
      misses: {
        count: 0,
        of: 100,
      },
      falseAlarms: {
        count: 0,
        of: 1000,
      },
    },
    {
      id: 'typology_gather_scatter',
      rule: 'typology:gather_scatter',
      misses: {
        count: 0,
        of: 100,
      },
      falseAlarms: {
        count: 0,
        of: 1000,
      },
    },
    {
      id: 'typology_pass_through',
      rule: 'typology:pass_through',
      misses: {
        count: 0,
        of: 100,
      },
      falseAlarms: {
        count: 0,
        of: 1000,
      },
    },
    {
      id: 'typology_cycle',
      rule: 'typology:cycle',
      misses: {
        count: 0,
        of: 100,
      },
      falseAlarms: {
        count: 0,
        of: 1000,
      },
    },
    {
      id: 'typology_structuring',
      rule: 'typology:structuring',
      misses: {
        count: 0,
        of: 100,
      },
      falseAlarms: {
        count: 0,
        of: 1000,
      },
    },
    {
      id: 'poisoning',
      rule: 'poisoning',
      misses: {
        count: 0,
        of: 624,
      },
      falseAlarms: {
        count: 0,
        of: 741,
      },
    },
    {
      id: 'deposits',
      rule: 'deposits',
      misses: {
        count: 148,
        of: 341,
      },
      falseAlarms: {
        count: 0,
        of: 400,
      },
    },
    {
      id: 'coinjoin',
      rule: 'coinjoin',
      misses: {
        count: 0,
        of: 700,
      },
      falseAlarms: {
        count: 0,
        of: 400,
      },
    },
    {
      id: 'co_spending_graphsense',
      rule: 'co_spending',
      data: {
        name: 'GraphSense extracts',
        version: '9b7ecfabc15f',
        day: '2022-06-21',
      },
      misses: {
        count: 0,
        of: 3,
      },
      falseAlarms: {
        count: 0,
        of: 102,
      },
    },
    {
      id: 'same_key',
      rule: 'same_key',
      misses: {
        count: 0,
        of: 400,
      },
      falseAlarms: {
        count: 0,
        of: 800,
      },
    },
    {
      id: 'co_spending_wallets',
      rule: 'co_spending',
      misses: {
        count: 544,
        of: 635,
      },
      falseAlarms: {
        count: 46,
        of: 2668,
      },
    },
    {
      id: 'co_spending_payjoins',
      rule: 'co_spending',
      misses: null,
      falseAlarms: {
        count: 62,
        of: 80,
      },
    },
    {
      id: 'co_spending_fundings',
      rule: 'co_spending',
      misses: null,
      falseAlarms: {
        count: 37,
        of: 80,
      },
    },
    {
      id: 'co_spending_strangers',
      rule: 'co_spending',
      misses: null,
      falseAlarms: {
        count: 0,
        of: 159,
      },
    },
    {
      id: 'change_wallets',
      rule: 'change',
      misses: {
        count: 481,
        of: 635,
      },
      falseAlarms: {
        count: 18,
        of: 463,
      },
    },
    {
      id: 'bridge_id',
      rule: 'bridge_id',
      misses: {
        count: 0,
        of: 500,
      },
      falseAlarms: {
        count: 0,
        of: 500,
      },
    },
    {
      id: 'bridge_likely',
      rule: 'bridge_likely',
      misses: {
        count: 27,
        of: 500,
      },
      falseAlarms: {
        count: 27,
        of: 500,
      },
    },
  ],
  notTested: ['attribution.thefts', 'poisoning.real', 'bridge_id.real', 'prices'],
};
