/** Messages of answers and mails that are English whatever the language; `{…}` is filled in. */
export const messages = {
  batch_queued: 'Batch of {addresses} queued.',
  scan_queued: 'Scan queued. Poll status_url until it is completed, then read results_url.',
  secret_once: 'Keep the secret: it is not shown again.',
  secret_rotated: 'The previous secret stays valid for 24 hours.',
  consent_subject: 'Do you want these mails?',
  consent: [
    'The account "{name}" of this risk screening service asked to mail you when its batch scans end or alerts are raised.',
    'You get such mails only if you say yes within 24 hours: {page}',
    'If you do nothing, no further mail comes.',
  ].join('\n'),
  batch_subject: 'Batch scan {status}: {completed} of {total} addresses',
  batch: [
    'Your batch scan {job_id} has ended ({status}).',
    'Addresses: {total}, scanned: {completed}, failed: {failed}.',
    'Results (with your API key): {detail_url}',
  ].join('\n'),
  alert_subject: 'Alert: {title}',
  alert: ['{title}', 'Level: {level}. Raised at {at}.', 'All alerts: {page}'].join('\n'),
  digest_subject: '{total} alerts since {since}',
  digest: ['Alerts raised since {since}: {total}. The gravest of them:', '{lines}', 'All alerts: {page}'].join('\n'),
};
