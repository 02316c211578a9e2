/** One row of the contract in our words: the files and names of tests that hold it, and where it differs, why. */
export interface SpecRow {
  says: string;
  /** `folder/file.test.ts: name of a test`, below `test/`, as it stands in the file. */
  tests: string[];
  differs?: string;
}

const row = (says: string, tests: string | string[], differs?: string): SpecRow => ({
  says,
  tests: [tests].flat(),
  ...(differs ? { differs } : {}),
});

const SCAN = 'routes/scans/scan.test.ts';
const JOBS = 'routes/scans/jobs.test.ts';
const TX = 'routes/scans/transactions.test.ts';
const PRESIGN = 'routes/scans/presign.test.ts';
const WATCH = 'routes/monitoring/watchlist.test.ts';
const HOOKS = 'routes/monitoring/webhooks.test.ts';
const CASES = 'routes/cases/cases.test.ts';
const BULK = 'routes/cases/bulk-scan.test.ts';
const PACKAGE = 'routes/cases/report-package.test.ts';
const REPORTS = 'routes/cases/reports.test.ts';
const EXPOSURE = 'routes/tracing/exposure.test.ts';
const GRAPH = 'routes/tracing/graph.test.ts';
const TOKENS = 'routes/scans/token-transfers.test.ts';
const SCAMDB = 'routes/service/scamdb.test.ts';
const KEYS = 'routes/account/api-keys.test.ts';
const USAGE = 'routes/account/usage.test.ts';
const ACCESS = 'app/access.test.ts';
const ORDER = 'app/order.test.ts';
const REQUESTS = 'app/requests.test.ts';
const DOCS = 'routes/service/docs.test.ts';
const DELIVERER = 'events/deliverer.test.ts';
const WEBHOOK = 'events/webhook.test.ts';
const QUOTA = 'records/quota.test.ts';

const NULLABLE = 'The text is null where nothing is known: an invented name would be taken for a label';

/** The contract by topic; endpoints begin with their method and path. */
export const SPEC_ROWS: Record<string, SpecRow[]> = {
  Conventions: [
    row('Scores are whole numbers of 0 to 100; rows of history, jobs and webhooks say `risk_0to100`', [
      `${SCAN}: lists the tenant's own, newest first, a page at a time, and shows each one`,
      `${HOOKS}: sends signed events to the endpoints that asked for their type, and logs each delivery`,
    ]),
    row(
      'Twelve chains by identifier',
      `${DOCS}: is what client generators need: headers of answers, one list of chains, answers open to new fields`,
    ),
    row('`bnb` is refused', `${SCAN}: refuses bnb and names bsc`),
    row(
      'A chain that is left out is detected',
      'questions/parse-address.test.ts: detects the chain where none is given',
    ),
    row('Five levels and the cases of UNKNOWN', [
      `${SCAN}: calls a sanctioned address and whoever paid it CRITICAL on %s`,
      `${WATCH}: watches an address without history, and hears of a list that names it`,
    ]),
    row(
      'Long work answers with a job; a `stale` one can be retried',
      `${JOBS}: is stale from the moment its lease ends, can be retried then, and is billed once`,
    ),
    row(
      'Five plans',
      [
        `${USAGE}: answers exactly the fields of the contract`,
        `${USAGE}: shows -1 where a plan is unlimited and 0 where it has none`,
      ],
      'A sixth, `enterprise_trial`, is the trial tier that the transaction scan names',
    ),
    row('Times in UTC, ids as UUID, bodies in JSON', `${DOCS}: describes the answers as they are`),
    row('OpenAPI 3.1 with the version of the contract; answers may grow', [
      `${DOCS}: is OpenAPI 3.1 of the contract, with both ways to send a key`,
      `${DOCS}: types what a scan says of itself, open to fields that are added later`,
    ]),
    row(
      'Client libraries',
      'clients/typescript.test.ts: installs into a project of another folder, where the example of its page compiles and runs',
      'Two come with the project (TypeScript, Python); the contract has none yet',
    ),
  ],
  'Scans and screening': [
    row(
      'GET /public/health: status, service, cache; no key',
      'routes/service/health.test.ts: answers public health without a key and without a limit',
    ),
    row('GET /public/scan: fields of the scan result', [
      `${SCAN}: gives the exact flow totals and counterparties of a saver on %s`,
      `${DOCS}: describes the answers as they are`,
    ]),
    row('POST /public/scan: the same', `${SCAN}: takes the same input by POST, and a Bearer key`),
    row(
      '`lang` of a scan, `en` or `ja`',
      [
        `${SCAN}: answers the same again as a cache hit that costs nothing, in each language`,
        `${SCAN}: names the missing address and the unknown language`,
      ],
      '`es` too, as in reports',
    ),
    row(
      'Scan: 400 for an empty address, a bad format, a chain that does not fit',
      ['domain/address.test.ts: accepts each address on its own chain only', `${SCAN}: refuses %o with its own text`],
      'A wrong checksum is a bad format too: a mistyped address must not be scanned',
    ),
    row(
      'Scan: 404 where the chain does not know the address',
      `${SCAN}: says so when the source of %s knows neither history nor balance`,
    ),
    row('Scan: 500 where the pipeline fails, nothing billed', [
      `${SCAN}: ends at the deadline and gives the unit back`,
      `${SCAN}: names the chain without any source`,
    ]),
    row(
      '`category` of counterparties is a closed list',
      `${DOCS}: types what a scan says of itself, open to fields that are added later`,
      'Scams and further crimes are `other` there with their label; detections and exposure name them',
    ),
    row(
      '`label` and `label_source` of a counterparty are texts',
      `${DOCS}: describes the answers as they are`,
      NULLABLE,
    ),
    row(
      'Counterparties and totals also of a recorded scan',
      `${SCAN}: page their counterparties, which top_counterparties begins`,
    ),
    row(
      'A repeated scan within 30 minutes is `cached`, costs no unit',
      [
        `${SCAN}: answers the same again as a cache hit that costs nothing, in each language`,
        `${SCAN}: scans again when the cache has expired`,
      ],
      'What is cached is the answer of the chain: score and labels are those of now',
    ),
    row(
      'The deadline of a scan that waits',
      `${SCAN}: ends at the deadline and gives the unit back`,
      '230 s, so that the answer comes before the 240 s of the ingress',
    ),
    row(
      'POST /public/scan/async: 202, billed once on success',
      `${JOBS}: queues one scan, bills it once on success, and records it as asynchronous`,
    ),
    row(
      'Asynchronous scan: 403 without REST access, 400, 429',
      `${JOBS}: is refused without REST access, without an address, and without quota`,
    ),
    row(
      'Jobs survive a restart',
      'workers/kill.test.ts: the embedded service takes up a bulk scan of a case again after it was killed and started again',
    ),
    row(
      'POST /public/scan/batch: a job over many addresses, one unit for each that completes',
      `${JOBS}: scans strings and objects once each, keeps bad entries as failed rows, and bills what completes`,
    ),
    row(
      'Batch: 400 without a valid address or over the ceiling, 403 by plan, 429 where the quota cannot cover it',
      `${JOBS}: says why it refuses: plan, ceiling, no address, shape, quota`,
    ),
    row(
      '`include_ai_analysis`',
      `${JOBS}: adds a summary to each row where it is asked for`,
      'Without a model the summary is written by rules, and `source` says so',
    ),
    row(
      '`notify_email`',
      `${JOBS}: mails where it was asked to, if the recipient wants it, and completes though mail fails`,
    ),
    row(
      'Batch results are read by the job',
      'questions/scans/scan-rules.test.ts: a row of a batch is a scan of the account: it is recorded, and the next one repeats it',
      'They are listed as scans too, with `source` `batch`: an investigator looks for them there',
    ),
    row('GET /public/scan/{job_id}: status of a job; 404, 422', `${JOBS}: is nobody else to see, and an id is a UUID`),
    row('GET /public/scan/{job_id}/results: rows with `error_message`', [
      `${JOBS}: fails with the reason, bills nothing, and scans again on retry`,
      'questions/jobs/get-job-results.test.ts: pages the results of the largest job, each page of 1 MiB at most, and leaves no row out',
    ]),
    row('GET /public/scans: own scans, newest first; `limit` 1 to 100, `offset`', [
      `${SCAN}: lists the tenant's own, newest first, a page at a time, and shows each one`,
      `${SCAN}: wants a UUID and a page inside its bounds`,
    ]),
    row(
      'GET /public/scans/{scan_id}: 404 for another tenant or outside the history',
      `${SCAN}: hides another tenant's scan and one outside the history window as not found`,
    ),
    row('GET /public/presign/check: fields of the verdict', `${PRESIGN}: has exactly the fields of the contract`),
    row('Screening: `chain` and `to` are required', `${PRESIGN}: asks for chain and destination`),
    row('Screening: an unsupported chain is `unknown`', `${PRESIGN}: chain %j is unknown, never an error`),
    row('Screening: `data`, its alias, `spender`, `signer`, `asset`, `value`', [
      `${PRESIGN}: sanctioned destination, spender, recipient in calldata and token are danger`,
      `${PRESIGN}: recognizes a look-alike of an earlier recipient, sent to, granted to or named as spender`,
      `${PRESIGN}: is shared by the keys of one account and by all ways to write the same request`,
    ]),
    row(
      'Screening: 200 or 401 or 429',
      `${PRESIGN}: refuses what is not an address of a supported chain`,
      '400 too, for a destination that is not an address of a supported chain: a verdict on it would be about nothing',
    ),
    row('Screening: no scan, a bucket of its own', `${PRESIGN}: costs no scan and has a bucket of its own`),
    row('Screening: cached some 120 s, fresh with calldata or spender', [
      `${PRESIGN}: serves the same verdict for two minutes, and says so only to the account that asked before`,
      `${PRESIGN}: never holds what came with calldata or a spender`,
    ]),
    row('GET /public/usage: fields, -1 for unlimited, next month', [
      `${USAGE}: answers exactly the fields of the contract`,
      `${USAGE}: starts again with the UTC month and keeps the top-up`,
    ]),
  ],
  Monitoring: [
    row(
      'GET /watchlist: items by page',
      `${WATCH}: adds an address, scans it in the background at no cost, and keeps it once`,
    ),
    row(
      'POST /watchlist: item and pending first scan',
      `${WATCH}: adds an address, scans it in the background at no cost, and keeps it once`,
    ),
    row(
      'Add: 400 for address and chain, 403 for ceiling and Follow Mode',
      `${WATCH}: says why it refuses: address, chain, ceiling, Follow Mode, other tenants`,
    ),
    row(
      'DELETE /watchlist/{item_id}',
      `${WATCH}: adds an address, scans it in the background at no cost, and keeps it once`,
      '404 where the item is not there, as everywhere',
    ),
    row(
      'POST /watchlist/{item_id}/rescan: `follow_mode` by outcome',
      `${WATCH}: says what became of Follow Mode at a rescan`,
      'At most 24 a day and item, then 429 with `Retry-After`',
    ),
    row('Rescan: 502 where the source fails', [
      `${WATCH}: answers a rescan by hand with 502 where no source is configured`,
      `${WATCH}: gives a rescan that joined another its failure, counted once, also where the address was failing before`,
    ]),
    row(
      'PATCH /watchlist/{item_id}/follow: by plan, depth cut to its maximum',
      `${WATCH}: says what became of Follow Mode at a rescan`,
    ),
    row(
      'GET /watchlist/{item_id}/discoveries: `status`, `active` by default',
      `${WATCH}: follows the money of a watched address, alerts of what is grave, and promotes or dismisses it`,
    ),
    row(
      'POST /watchlist/discoveries/{discovery_id}/dismiss',
      `${WATCH}: follows the money of a watched address, alerts of what is grave, and promotes or dismisses it`,
    ),
    row(
      'POST /watchlist/discoveries/{discovery_id}/promote: 400 where it cannot be',
      `${WATCH}: follows the money of a watched address, alerts of what is grave, and promotes or dismisses it`,
    ),
    row(
      'Rescans at the interval of the plan',
      `${WATCH}: rescans at the interval of the plan, each item by one worker, and none above the ceiling`,
    ),
  ],
  'Webhooks and events': [
    row('GET /webhooks/configs', `${HOOKS}: creates, lists, changes and deletes endpoints, and shows the secret once`),
    row('POST /webhooks/configs: secret once; 403 by plan and ceiling', [
      `${HOOKS}: creates, lists, changes and deletes endpoints, and shows the secret once`,
      `${HOOKS}: says why it refuses: plan, ceiling, URL, shape`,
    ]),
    row(
      'PATCH /webhooks/configs/{config_id}: 400 without fields, 404',
      `${HOOKS}: creates, lists, changes and deletes endpoints, and shows the secret once`,
    ),
    row(
      'DELETE /webhooks/configs/{config_id}: how many were deleted',
      `${HOOKS}: creates, lists, changes and deletes endpoints, and shows the secret once`,
    ),
    row(
      'POST /webhooks/test: a signed sample, status or error',
      `${HOOKS}: sends a test once, logs it, and says what came of it`,
      'Two at once for an account; the third is 429 with `Retry-After`',
    ),
    row(
      'GET /webhooks/deliveries: newest first, by endpoint and status',
      `${HOOKS}: sends signed events to the endpoints that asked for their type, and logs each delivery`,
      'An unknown status is 422',
    ),
    row('GET /webhooks/events: six types, no key', `${HOOKS}: lists the six types of events without a key`),
    row(
      'Event `risk.changed`',
      'questions/monitoring/rescan-item.test.ts: fires the event of the level that a rise reaches, not of those it skips',
      'A fall is reported after two equal scans, so that a source that flickers sends nothing',
    ),
    row(
      'Events `risk.high_detected`, `risk.critical_detected`',
      'questions/monitoring/rescan-item.test.ts: fires the event of the level that a rise reaches, not of those it skips',
    ),
    row(
      'Event `scan.completed`',
      `${HOOKS}: sends signed events to the endpoints that asked for their type, and logs each delivery`,
    ),
    row('Event `batch.completed`', [
      `${JOBS}: announces its end once where it failed first, and completes on retry`,
      `${JOBS}: tries its failed rows again on request, bills what then completes, and announces its end once`,
    ]),
    row('Event `watchlist.alert`', `${WATCH}: alerts of a high level at the first scan, and fires no risk event then`),
    row(
      'Fields of an event',
      `${DOCS}: names the headers of a package file, and describes every event that webhooks send`,
      '`id` stands beside `event`, so that a receiver handles each once',
    ),
    row(
      'Signature over the raw body, one value a header',
      `${HOOKS}: signs with the old and the new secret for 24 hours after a rotation`,
    ),
    row(
      'A chat host gets messages in its own format',
      `${WEBHOOK}: writes to a chat service in its block format, without markup of strangers`,
    ),
    row(
      'Delivery attempts can be read',
      `${HOOKS}: shows every attempt of a delivery with its outcome, and the body as it was sent`,
    ),
    row('Attempts, pauses and timeout (not given)', [
      `${DELIVERER}: tries again after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h and 12 h, each within a tenth, then gives up`,
      `${WEBHOOK}: counts as failed what redirects, fails, resets, hangs or answers byte by byte, and says which`,
    ]),
  ],
  Investigation: [
    row(
      'GET /cases: by status and page',
      `${CASES}: begin open and of medium priority, and are listed newest first by status`,
    ),
    row(
      'POST /cases: 400 for a priority',
      `${CASES}: refuse what does not exist with the text of the contract, after what is unknown`,
      'At most 10,000 cases; 403 beyond',
    ),
    row(
      'GET /cases/{case_id}',
      `${CASES}: answers with its newest contents and their totals, and with all of them by page`,
      'The newest 500 addresses and 200 notes with totals; all by page',
    ),
    row(
      'PATCH /cases/{case_id}: 400 for status, priority, nothing to change',
      `${CASES}: refuse what does not exist with the text of the contract, after what is unknown`,
    ),
    row(
      'DELETE /cases/{case_id}: with its contents',
      `${CASES}: are deleted with their contents, and the audit log keeps what was there`,
    ),
    row('POST /cases/{case_id}/addresses: 400 by name, 409 twice', [
      `${CASES}: refuse a wrong chain, address or role by name`,
      `${CASES}: are canonical, once per chain, and keep the order in which they came`,
    ]),
    row('PATCH /cases/{case_id}/addresses/{address_id}', `${CASES}: change what is given, and show the newest scan`),
    row('DELETE /cases/{case_id}/addresses/{address_id}', `${CASES}: change what is given, and show the newest scan`),
    row(
      'POST /cases/{case_id}/notes: 400 for a note type',
      `${CASES}: refuse what does not exist with the text of the contract, after what is unknown`,
    ),
    row(
      'DELETE /cases/{case_id}/notes/{note_id}',
      `${CASES}: stand in the timeline under the name of the key until they are deleted`,
      'What the service wrote stays: 403, so that the timeline stays whole',
    ),
    row(
      'POST /cases/{case_id}/bulk-scan: 202 with the selection',
      `${BULK}: scans every address of the case once, bills what completes, and keeps it out of the list of scans`,
    ),
    row('Bulk scan: 400 where nothing is left, 409 while one runs', [
      `${BULK}: takes no more than plan and quota allow, and says why when nothing is left`,
      `${BULK}: refuses a second start while one runs, gives its units back when the case is deleted, and keeps cases apart`,
    ]),
    row(
      'Bulk scan: cut by plan and quota; subjects, then unscanned, then distance',
      [
        'questions/cases/select-addresses.test.ts: takes subjects first, then unscanned addresses, then by hop distance, and keeps the order of the case',
        'questions/cases/select-addresses.test.ts: is cut at the smaller of plan ceiling and quota, and names the limit for each address left out',
      ],
      'Starter has a bulk scan of 20 addresses and no batch, so the two ceilings are not one number',
    ),
    row(
      'GET /cases/{case_id}/bulk-scan/status',
      `${BULK}: is read by its job id too: why an address failed, and of the others what the case shows`,
    ),
    row(
      'GET /cases/{case_id}/report.pdf: every address',
      `${REPORTS}: covers every address, shows foreign text safely, and stands in the timeline`,
      'At most 100 addresses are laid out, subjects first; the report says what is left out',
    ),
    row(
      'POST /cases/{case_id}/str-package: 202, 400, 403, 404, 409',
      `${PACKAGE}: runs once for a case at a time and refuses what it cannot do, by plan, case and generation`,
    ),
    row(
      'GET /cases/{case_id}/str-package/status',
      `${PACKAGE}: runs once for a case at a time and refuses what it cannot do, by plan, case and generation`,
    ),
    row(
      'GET /cases/{case_id}/str-package/{generation_id}/download: the same bytes, with their digest',
      `${PACKAGE}: gives the same bytes at every download, whatever happened to the case since`,
    ),
    row(
      'Package: 410 where it cannot be rebuilt',
      'questions/cases/run-package.test.ts: a package whose files were not kept has none: they are not drawn again',
    ),
    row(
      'Package: degraded, simple form',
      'questions/cases/run-package.test.ts: is drawn in its simple form where the full one fails, says so, and keeps to it',
    ),
    row(
      'GET /cases/{case_id}/str-package/{generation_id}/draft.docx',
      `${PACKAGE}: keeps a dismissed detection out of the draft, and names at the finding who dismissed it`,
    ),
    row(
      'CSV of 43 columns',
      [
        `${PACKAGE}: lists every transfer once in 43 columns that add up to the exposure`,
        'questions/cases/columns.test.ts: are the same in %s as in English, and name the same values',
      ],
      '`reason_ja` keeps its name in every language; its text is in that of the package',
    ),
    row('GET /risk-report/{address}: three languages, Japanese by default', [
      `${REPORTS}: is Japanese where no language is given, and shows every glyph of it`,
      `${REPORTS}: refuses what is not an address, chain, language or number of hops`,
    ]),
    row(
      'Risk report of an address without a recorded scan',
      `${REPORTS}: of an address that was never scanned says so and names no level`,
    ),
    row('GET /exposure/{address}: `max_hops` 1 to 5, `limit` 10 to 1000', [
      `${EXPOSURE}: answers with the fields of the contract and nothing else`,
      `${EXPOSURE}: has no shape for %s`,
    ]),
    row(
      'Exposure without a key (read-only graph endpoints: not given)',
      `${EXPOSURE}: needs no key, and then leaves out what would show what others investigate`,
      'Of the graph endpoints it alone needs no key, unless PUBLIC_EXPOSURE is 0',
    ),
    row(
      'Exposure of a never scanned address: empty, with a note',
      'tracing/exposure.test.ts: an address nobody scanned says so, and so does an unknown one',
    ),
    row(
      'Exposure: 500 where the graph fails',
      `${EXPOSURE}: says that the graph failed when it did, and nothing else breaks`,
    ),
    row(
      'GET /exposure/{address}/terminals: five categories, `limit` 1 to 100, by plan',
      [
        `${EXPOSURE}: needs a key, an address, known categories and figures in range`,
        'tracing/terminals.test.ts: each category is the cash-out point that analysts call it, and the others are none',
      ],
      '`max_hops` is at most 10: a search without an end would hold up others',
    ),
    row('POST /graph/flow-path: Pro or higher', [
      `${GRAPH}: a flow path has the fields of the contract and nothing else`,
      'tracing/paths/flow-path.test.ts: a service in between ends a way, at an end it does not',
      'tracing/paths/flow-path.test.ts: of a span, every transfer of a path lies within it',
    ]),
    row('POST /graph/relationship-check: Enterprise', [
      `${GRAPH}: a relationship has the fields of the contract and says how far it looked`,
      'tracing/paths/relationship.test.ts: two customers of one exchange are not related by it',
    ]),
    row('POST /scan/tx: both sides, all chains, one unit a side', [
      `${TX}: scans who paid and who was paid on %s, with what moved, when and in which block`,
      `${TX}: is free for parties that were scanned before, and a second call costs nothing`,
    ]),
    row('Transaction scan: forms of hashes', [
      `${TX}: 400 for a hash of another form on %s`,
      'domain/tx-hash.test.ts: takes a Solana signature of 64 bytes as it is',
    ]),
    row('Transaction scan: TRC-20 participants, delivered XRP, other XRP transactions', [
      `${TX}: names who sent and received a TRC-20 token, not its contract`,
      `${TX}: reports what an XRP partial payment delivered, and what it stated`,
      `${TX}: lists the accounts of other XRP transactions with a note`,
    ]),
  ],
  'Token transfers': [
    row(
      'POST /tx-query: transfers and counterparties',
      `${TOKENS}: gives every transfer and exact sums of the busiest token holder on %s`,
    ),
    row('`token_symbol` is a text', `${DOCS}: describes the answers as they are`, NULLABLE),
    row(
      'POST /contract-alert: five patterns',
      [
        `${TOKENS}: looks at every transfer of the busiest token on %s`,
        `${TOKENS}: names the bait and its victim in the story of address poisoning, in either language`,
      ],
      'The chain’s coin has no contract: 400. What a source cannot list is in `reasons` and `note`',
    ),
    row('At most 90 days, the end after the start', [
      `${TOKENS}: allows exactly 90 days, one millisecond more is 400`,
      `${TOKENS}: 400 when the end is %s`,
    ]),
    row('A failed query is 400, missing fields 422', [
      `${TOKENS}: 400 with the reason when the source fails or none is configured`,
      `${TOKENS}: 422 without %s`,
    ]),
    row(
      'No scans are billed',
      `${TOKENS}: finds the chain by the address, names labelled counterparties and costs no scan`,
    ),
  ],
  'Scam database': [
    row('GET /scamdb/lookup/{address}', [
      `${SCAMDB}: answers with the whole entry, without a key`,
      `${SCAMDB}: does not find %s`,
    ]),
    row('GET /scamdb/entries', `${SCAMDB}: lists verified entries newest first, by page, type and severity`),
    row('GET /scamdb/entries/{scam_id}', `${SCAMDB}: gives one entry by id, 404 for an unknown one, 422 for no UUID`),
    row('GET /scamdb/stats', `${SCAMDB}: counts by type, severity and chain`),
    row(
      'GET /scamdb/search: key, `q`',
      `${SCAMDB}: asks for a key before it looks at the query, and for a query without control characters`,
    ),
    row('POST /scamdb/report: key', `${SCAMDB}: keeps a report as pending, which changes nothing anybody sees`),
    row('30 reads a minute and IP', `${SCAMDB}: %s: 30 a minute per IP, then 429 with the time to wait`),
  ],
  Authentication: [
    row('Keys begin with `tfk_`, are shown once and kept as a hash; either header', [
      `${KEYS}: creates a key, shows it once, lists it without its text, and revokes it at once`,
      'records/keys.test.ts: keeps a key only as its SHA-256 and finds its holder by it',
      'app/access-headers.test.ts: takes the key from X-API-Key or from Authorization: Bearer, in any case of the word',
    ]),
    row(
      'At most 5 keys',
      `${KEYS}: refuses a sixth key with the text of its limit`,
      '20 new keys in 24 hours; 429 with `Retry-After` beyond',
    ),
    row(
      'The two texts of 401',
      `${ACCESS}: answers 401 with the fixed texts for a missing, malformed, unknown or revoked key`,
    ),
    row(
      'Changes of key and plan within 5 minutes',
      `${ACCESS}: sees a key revoked or a plan changed by another process within 5 seconds`,
    ),
    row('Another tenant’s objects are 404', [
      `${SCAN}: hides another tenant's scan and one outside the history window as not found`,
      `${CASES}: of another tenant are unknown in every call, and stay as they are`,
      `${HOOKS}: shows nobody another account's endpoints and deliveries`,
    ]),
  ],
  'Refusals and limits': [
    row(
      '`detail` is a text, or a list of type, place and message',
      'routes/service/errors.test.ts: say what the contract says, and only the log holds the cause',
    ),
    row(
      '422 names path, query and body',
      'routes/service/errors.test.ts: name query and path parameters by where they stand, and report all of one part',
    ),
    row('Texts of 403 by feature', [
      `${TX}: 403 on %s`,
      `${GRAPH}: %s is for the plans that have it`,
      `${EXPOSURE}: on the plan %s gives %i`,
      `${ORDER}: says 401, 429 of the rate and 422 before 403 of the plan, and 403 before 400`,
    ]),
    row(
      '429 of the minute: text, `Retry-After`, both headers',
      `${ACCESS}: counts requests per key in a window of 60 seconds from the first one, and says so in every keyed answer`,
    ),
    row(
      '429 of the minute counts by key',
      'http/account-limits.test.ts: gives who makes, uses and revokes keys no more than five times the plan',
      'All keys of an account together have five times the limit: text and headers then name that number',
    ),
    row('429 of the month: Japanese text, no `Retry-After`', [
      `${SCAN}: refuses a scan beyond the month with the fixed text and no Retry-After, top-up included`,
      `${QUOTA}: spends the plan first, then the top-up, and refuses with the fixed texts`,
    ]),
    row('Requests and screening a minute by plan', [
      'http/account-limits.test.ts: gives each of five keys exactly its own limit of %s',
      `${ACCESS}: keeps presign's bucket apart from the plan's`,
    ]),
    row('Scans a month by plan; only what completes is billed', [
      `${QUOTA}: never spends a unit twice under 60 requests at once`,
      `${QUOTA}: counts an unlimited plan without ever refusing`,
    ]),
    row(
      'Statuses that the contract does not name',
      [
        `${REQUESTS}: answers unknown paths with 404 and wrong methods with 405 and what is allowed, without asking for a key`,
        `${REQUESTS}: refuses a body over 1 MiB on a real connection, also one sent in chunks, and takes one of exactly 1 MiB`,
        `${REQUESTS}: refuses with 503 and Retry-After what exceeds the requests it answers at once, and recovers`,
      ],
      '405, 413 and 503 with `Retry-After` show a caller what to do',
    ),
    row(
      'Earlier form of a batch, objects with chain',
      `${JOBS}: scans strings and objects once each, keeps bad entries as failed rows, and bills what completes`,
    ),
  ],
};
