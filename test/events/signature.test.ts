import { expect, it } from 'vitest';
import { signatureHeaders } from '../../src/events/webhook/send.ts';

it("makes the signature of Standard Webhooks' own example", () => {
  const attempt = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
  expect(signatureHeaders(attempt, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toMatchObject({
    'webhook-id': attempt.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});
