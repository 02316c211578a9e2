/** Every limit and quota number of the service. -1 means unlimited, 0 and false mean not on the plan. */
export interface Plan {
  scansPerMonth: number;
  requestsPerMinute: number;
  presignPerMinute: number;
  /** Requests of one kind that are answered at once; more wait for their turn. */
  requestsAtOnce: number;
  batchSize: number;
  /** Addresses that a bulk scan of a case scans at once. */
  bulkSize: number;
  asyncScan: boolean;
  historyDays: number;
  watchlistItems: number;
  /** Watched addresses that are listened to. */
  liveItems: number;
  webhookEndpoints: number;
  /** Hops of Follow Mode. */
  followDepth: number;
  rescanMinutes: number;
  terminals: boolean;
  /** Wallets that hold traced money, one by one, and its flows. */
  heldWallets: boolean;
  flowPath: boolean;
  relationshipCheck: boolean;
  transactionScan: boolean;
  ownStatements: boolean;
  riskSettings: boolean;
  reportPackage: boolean;
  /** Addresses that one trace may open. */
  traceAddresses: number;
  /** Boards that an account may hold. */
  boards: number;
  /** All that is kept for an account: cases, boards, watched addresses, records of scans and jobs, kept answers. */
  storedMib: number;
}

const HOUR = 60;
const GIB = 1_024;

export const PLANS = {
  free: {
    scansPerMonth: 10,
    requestsPerMinute: 10,
    presignPerMinute: 40,
    requestsAtOnce: 4,
    batchSize: 0,
    bulkSize: 0,
    asyncScan: false,
    historyDays: 7,
    watchlistItems: 1,
    liveItems: 0,
    webhookEndpoints: 0,
    followDepth: 0,
    rescanMinutes: 24 * HOUR,
    terminals: false,
    heldWallets: false,
    flowPath: false,
    relationshipCheck: false,
    transactionScan: false,
    ownStatements: false,
    riskSettings: false,
    reportPackage: false,
    traceAddresses: 0,
    boards: 5,
    storedMib: 50,
  },
  starter: {
    scansPerMonth: 200,
    requestsPerMinute: 30,
    presignPerMinute: 120,
    requestsAtOnce: 6,
    batchSize: 0,
    bulkSize: 20,
    asyncScan: true,
    historyDays: 30,
    watchlistItems: 10,
    liveItems: 0,
    webhookEndpoints: 1,
    followDepth: 0,
    rescanMinutes: 24 * HOUR,
    terminals: false,
    heldWallets: false,
    flowPath: false,
    relationshipCheck: false,
    transactionScan: false,
    ownStatements: false,
    riskSettings: false,
    reportPackage: false,
    traceAddresses: 0,
    boards: 20,
    storedMib: 1 * GIB,
  },
  pro: {
    scansPerMonth: 1_000,
    requestsPerMinute: 60,
    presignPerMinute: 240,
    requestsAtOnce: 8,
    batchSize: 100,
    bulkSize: 100,
    asyncScan: true,
    historyDays: 180,
    watchlistItems: 50,
    liveItems: 0,
    webhookEndpoints: 3,
    followDepth: 2,
    rescanMinutes: 6 * HOUR,
    terminals: false,
    heldWallets: true,
    flowPath: true,
    relationshipCheck: false,
    transactionScan: false,
    ownStatements: false,
    riskSettings: true,
    reportPackage: false,
    traceAddresses: 50,
    boards: 200,
    storedMib: 5 * GIB,
  },
  business: {
    scansPerMonth: 3_000,
    requestsPerMinute: 120,
    presignPerMinute: 480,
    requestsAtOnce: 12,
    batchSize: 200,
    bulkSize: 200,
    asyncScan: true,
    historyDays: 365,
    watchlistItems: 100,
    liveItems: 100,
    webhookEndpoints: 5,
    followDepth: 3,
    rescanMinutes: HOUR,
    terminals: true,
    heldWallets: true,
    flowPath: true,
    relationshipCheck: false,
    transactionScan: false,
    ownStatements: false,
    riskSettings: true,
    reportPackage: false,
    traceAddresses: 150,
    boards: 200,
    storedMib: 15 * GIB,
  },
  enterprise: {
    scansPerMonth: -1,
    requestsPerMinute: 300,
    presignPerMinute: 1_200,
    requestsAtOnce: 16,
    batchSize: 500,
    bulkSize: 500,
    asyncScan: true,
    historyDays: -1,
    watchlistItems: -1,
    liveItems: 5_000,
    webhookEndpoints: -1,
    followDepth: 5,
    rescanMinutes: 15,
    terminals: true,
    heldWallets: true,
    flowPath: true,
    relationshipCheck: true,
    transactionScan: true,
    ownStatements: true,
    riskSettings: true,
    reportPackage: true,
    traceAddresses: 500,
    boards: 1_000,
    storedMib: 50 * GIB,
  },
  enterprise_trial: {
    scansPerMonth: 100,
    requestsPerMinute: 60,
    presignPerMinute: 240,
    requestsAtOnce: 8,
    batchSize: 20,
    bulkSize: 20,
    asyncScan: true,
    historyDays: 30,
    watchlistItems: 10,
    liveItems: 20,
    webhookEndpoints: 1,
    followDepth: 3,
    rescanMinutes: 6 * HOUR,
    terminals: true,
    heldWallets: true,
    flowPath: true,
    relationshipCheck: true,
    transactionScan: true,
    ownStatements: true,
    riskSettings: true,
    reportPackage: false,
    traceAddresses: 50,
    boards: 200,
    storedMib: 1 * GIB,
  },
} as const satisfies Record<string, Plan>;

export type PlanId = keyof typeof PLANS;
export const PLAN_IDS = Object.keys(PLANS) as PlanId[];

/** Features that a plan may lack (its value is 0 or false), each with the text of the refusal. */
export const FEATURE_REFUSALS = {
  asyncScan: 'REST API access is not available on your plan',
  batchSize: 'Batch scanning not available on your plan',
  bulkSize: 'Bulk scanning not available on your plan',
  webhookEndpoints: 'Webhooks are not available on your plan',
  followDepth: 'Follow Mode is a Pro feature.',
  flowPath: 'Flow path is a Pro feature.',
  heldWallets: 'What-if is a Pro feature.',
  traceAddresses: 'Tracing is a Pro feature.',
  riskSettings: 'Risk settings are a Pro feature.',
  terminals: 'Terminal search is a Business feature.',
  liveItems: 'Live watch is a Business feature.',
  relationshipCheck: 'Relationship check is an Enterprise feature.',
  reportPackage: 'Report package is an Enterprise feature.',
  transactionScan: 'Transaction-hash scan is an Enterprise feature.',
  ownStatements: 'Own statements are an Enterprise feature.',
} as const satisfies Partial<Record<keyof Plan, string>>;

export type Feature = keyof typeof FEATURE_REFUSALS;

/** Live keys an account may hold. */
export const KEYS_PER_ACCOUNT = 5;
/** Keys an account may make in 24 hours, revoked ones too. */
export const NEW_KEYS_PER_DAY = 20;
/** Cases of an account. */
export const CASES_PER_ACCOUNT = 10_000;
/** Labels that an account may give addresses itself. */
export const OWN_LABELS_PER_ACCOUNT = 10_000;
/** Bounds of one case; answers and reports of it stay bounded. */
export const CASE_LIMITS = {
  addresses: 2_000,
  /** Notes that people write. */
  notes: 2_000,
  /** The same with the marks of deleted ones. */
  notesWithDeleted: 4_000,
  /** Entries that the service writes into the timeline. An action that cannot be written there does not happen. */
  entries: 20_000,
  judgements: 2_000,
  /** UTF-8 text of notes, addresses and judgements together. */
  textMib: 5,
} as const;
/** Bounds of boards; those of one scene stand in domain/scene/bounds.ts. */
export const BOARD_LIMITS = {
  /** Versions of one board; beyond them older ones go. */
  versions: 50,
  /** All versions of an account together, compressed; the oldest go. */
  accountMib: 50,
} as const;
/** Boards of the largest plan. */
export const MOST_BOARDS = Math.max(...PLAN_IDS.map((id) => PLANS[id].boards));
/** Decisions on likely matches of bridges that an account may make; replaced ones count. */
export const MATCH_DECISIONS_PER_ACCOUNT = 10_000;
/** Requests a minute and IP for reads without a key. */
export const KEYLESS_PER_MINUTE = 30;
/** The API document, the files of its page, and what the links of mails open. */
export const PAGES_PER_MINUTE = 60;
/** Addresses that each row of a batch, bulk scan or watchlist opens by itself. */
export const ROW_TRACE_ADDRESSES = 2;
/** Addresses that a bulk scan with tracing may open for each subject of its case. */
export const BULK_TRACE_ADDRESSES = 25;
/** Looks at what a trace would read, a minute and key. */
export const DRY_RUNS_PER_MINUTE = 10;
/** Failed authentications a minute and IP before 429. */
export const FAILED_AUTH_PER_MINUTE = 300;
