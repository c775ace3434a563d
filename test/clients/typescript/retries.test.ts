import { expect } from 'chai';
import {
  ApiError,
  ConnectionError,
  OutcomeUnknownError,
  RateLimitError,
  TimeoutError,
  Waybill,
  WaybillError,
} from '../../../clients/typescript/src/index.ts';
import { openWorld } from '../../support/faults/world.ts';
import { startRelay } from '../../support/grpc/relay.ts';
import { inSuite } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { untilTrue } from '../../support/until.ts';
import type { Json } from '../../support/waybill.ts';
import { thrownBy } from '../support.ts';

type Answer = { status?: number; body?: Json; headers?: Record<string, string> } | Error;

const SENT = { success: true, messageId: 'wamid.1', channel: 'template', event: 'order_shipped' };
const NOTIFICATION = {
  to: '+919812345678',
  event: 'order_shipped',
  variables: { orderId: 'A-77', awbCode: 'AWB1', trackingLink: 'https://shop.example/t/1' },
} as const;

/** A client whose calls are answered one after the other; the last answer stands for all further ones. */
const answered = (...answers: Answer[]) => {
  const calls: { url: string; key: string | null }[] = [];
  const waits: number[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const answer = answers[Math.min(calls.length, answers.length - 1)]!;
    calls.push({ url: String(url), key: new Headers(init.headers).get('idempotency-key') });
    if (answer instanceof Error) throw answer;
    const { status = 200, body = SENT, headers = {} } = answer;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers });
  };
  const waybill = new Waybill({
    apiKey: 'wb_live_test',
    baseUrl: 'http://waybill.test/api',
    fetch: fetch as typeof globalThis.fetch,
    random: () => 1,
    wait: async (ms) => void waits.push(ms),
  });
  const keys = () => new Set(calls.map(({ key }) => key));
  return { waybill, calls, waits, keys };
};

const error = (status: number, more: Json = {}, headers: Record<string, string> = {}): Answer => ({
  status,
  body: { error: 'as the service says', ...more },
  headers: { 'ratelimit-reset': '60', ...headers },
});
const lost = new TypeError('fetch failed');
const AT_WORK = 'IDEMPOTENCY_IN_PROGRESS';

describe('the TypeScript client makes a call again', () => {
  it('after 1, 2, 4 and 8 s, under the same key, while nothing answers', async () => {
    const { waybill, calls, waits, keys } = answered(lost);
    const thrown = await thrownBy(waybill.sendNotification(NOTIFICATION));
    expect(thrown).to.be.instanceOf(ConnectionError);
    expect(thrown).to.include({ mayHaveBeenSent: true, idempotencyKey: calls[0]!.key });
    expect(waits).to.deep.equal([1_000, 2_000, 4_000, 8_000]);
    expect([calls.length, keys().size]).to.deep.equal([5, 1]);
  });

  for (const [name, first] of [
    ['500', error(500)],
    ['503', error(503)],
    ['an answer that breaks off', { body: '{"success": tr' }],
    ['a proxy’s page', { status: 502, body: '<html>' }],
  ] as const) {
    it(`after ${name}, and gives the answer that comes then`, async () => {
      const { waybill, waits } = answered(first, {});
      expect(await waybill.sendNotification(NOTIFICATION)).to.include({ messageId: 'wamid.1' });
      expect(waits).to.deep.equal([1_000]);
    });
  }

  for (const [name, first, seconds] of [
    ['Retry-After of a 503', error(503, {}, { 'retry-after': '3' }), 3],
    ['Retry-After of a 429', error(429, {}, { 'retry-after': '7' }), 7],
    ['RateLimit-Reset of a 429', error(429), 60],
    ['a key that is at work', error(409, { code: AT_WORK }, { 'retry-after': '1' }), 1],
  ] as const) {
    it(`when ${name} has passed`, async () => {
      const { waybill, waits, keys } = answered(first, {});
      await waybill.sendNotification(NOTIFICATION);
      expect(waits).to.deep.equal([seconds * 1_000]);
      expect(keys().size).to.equal(1);
    });
  }

  it('under the same key after a 502 or 504 that is not the service’s own: it may have gone out', async () => {
    const { waybill, calls, keys } = answered(error(502), error(504), {});
    await waybill.sendNotification(NOTIFICATION);
    expect([calls.length, keys().size]).to.deep.equal([3, 1]);
  });

  it('once under another key, when the provider refused the message', async () => {
    const refused = error(502, { code: 'SEND_FAILED', details: { providerCode: 131026 } });
    const { waybill, calls, keys } = answered(refused);
    await thrownBy(waybill.sendNotification(NOTIFICATION));
    expect([calls.length, keys().size]).to.deep.equal([2, 2]);
  });

  it('reads as often, and takes no key for it', async () => {
    const body = { balance: 1 };
    const { waybill, calls, keys } = answered(error(504), error(502), lost, { body });
    expect(await waybill.getCredits()).to.deep.equal(body);
    expect([calls.length, ...keys()]).to.deep.equal([4, null]);
  });
});

describe('the TypeScript client gives an answer', () => {
  it('as text, in a format that is not JSON', async () => {
    const { waybill } = answered({ body: 'charge,price\n' });
    expect(await waybill.getStatement({ format: 'csv' })).to.equal('charge,price\n');
    const json = answered({ body: { final: true } }).waybill;
    expect(await json.getStatement({ format: 'json' })).to.deep.equal({ final: true });
  });

  it('with its cost only where it says it', async () => {
    const free = { 'x-message-price': '0.0000', 'x-message-category': 'SERVICE' };
    const { waybill } = answered({ headers: free }, { body: { success: true, scheduled: {} } });
    const now = await waybill.sendNotification(NOTIFICATION);
    const later = await waybill.sendNotification(NOTIFICATION);
    expect(now.billing).to.include({ category: 'SERVICE', price: '0.0000' });
    expect(later).to.not.have.property('billing');
  });
});

describe('the TypeScript client leaves a refusal as it is', () => {
  for (const status of [400, 401, 402, 403, 404, 409, 410, 413, 415, 422]) {
    it(`with ${status}`, async () => {
      const { waybill, calls } = answered(error(status));
      const thrown = await thrownBy(waybill.sendNotification(NOTIFICATION));
      expect(thrown).to.be.instanceOf(ApiError);
      expect(thrown).to.include({ status, message: 'as the service says' });
      expect(calls).to.have.length(1);
    });
  }

  it('with a cap, a wait of more than two minutes, and a send whose outcome nobody knows', async () => {
    let unknown: unknown;
    for (const refusal of [
      error(429, { limit: 'daily' }),
      error(429, {}, { 'retry-after': '3600' }),
      error(504, { code: 'OUTCOME_UNKNOWN' }),
    ]) {
      const { waybill, calls } = answered(refusal);
      unknown = await thrownBy(waybill.sendNotification(NOTIFICATION));
      expect(calls).to.have.length(1);
    }
    expect(unknown).to.be.instanceOf(OutcomeUnknownError);
    expect(unknown).to.include({ mayHaveBeenSent: true });
  });

  it('of what would be done twice without a key', async () => {
    for (const failure of [lost, error(500), error(504)]) {
      const { waybill, calls } = answered(failure);
      await thrownBy(waybill.createBot({ name: 'Hours' }));
      expect(calls).to.have.length(1);
    }
  });

  it('after as many attempts as it may make', async () => {
    const { waybill, calls } = answered(error(429));
    const options = { maxRetries: 1 };
    expect(await thrownBy(waybill.getCredits(options))).to.be.instanceOf(RateLimitError);
    expect(calls).to.have.length(2);
  });
});

describe('the TypeScript client ends a call', () => {
  const over = (fetch: (typeof globalThis)['fetch'], baseUrl = 'http://waybill.test/api') =>
    new Waybill({ apiKey: 'k', baseUrl, fetch });
  /** Answers nothing until the call is given up. */
  const hang =
    (onCall = () => {}): typeof fetch =>
    (_url, init) =>
      new Promise((_, reject) => {
        init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason));
        onCall();
      });

  it('by its signal, before, during and between attempts', async () => {
    const reason = new Error('no longer wanted');
    const { waybill, calls } = answered({});
    expect(await thrownBy(waybill.getCredits({ signal: AbortSignal.abort(reason) }))).to.equal(
      reason,
    );
    expect(calls).to.have.length(0);
    const aborting = new AbortController();
    const hanging = over(hang(() => aborting.abort(reason)));
    expect(await thrownBy(hanging.getCredits({ signal: aborting.signal }))).to.equal(reason);
    const between = new AbortController();
    const failing = over(async () => {
      setImmediate(() => between.abort(reason));
      throw lost;
    });
    expect(await thrownBy(failing.getCredits({ signal: between.signal }))).to.equal(reason);
  });

  it('when its time is over, and says so', async () => {
    const waybill = over(hang());
    const thrown = await thrownBy(waybill.getCredits({ timeoutMs: 5, maxRetries: 0 }));
    expect(thrown).to.be.instanceOf(TimeoutError);
    expect(thrown).to.include({ mayHaveBeenSent: false });
    const words = 'GET /v1/credits: no answer from waybill.test in time';
    expect((thrown as Error).message).to.equal(words);
  });

  it('that no host answers, and names the host and the cause', async () => {
    const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    const waybill = over(async () => {
      throw new TypeError('fetch failed', { cause });
    }, 'http://waybill.test:8080/api');
    const thrown = await thrownBy(waybill.getCredits({ maxRetries: 0 }));
    const words = 'GET /v1/credits: no answer from waybill.test:8080: ECONNREFUSED';
    expect((thrown as Error).message).to.equal(words);
  });

  it('that is refused, and says the text, the fields and the hint as sentences', async () => {
    for (const [body, message] of [
      [{ error: 'Not found', hint: 'Compare the path.' }, 'Not found. Compare the path.'],
      [{ error: 'Not found.', hint: 'Compare the path.' }, 'Not found. Compare the path.'],
      [
        { error: 'Rejected', details: { hint: 'Check the number.' }, hint: 'It was given back.' },
        'Rejected. Check the number. It was given back.',
      ],
      [
        {
          error: {
            formErrors: ['must be JSON'],
            fieldErrors: {
              to: ['is required'],
              variables: ['variables.otp: is required', 'must be an object'],
            },
          },
          hint: 'Correct the fields.',
        },
        'must be JSON; to: is required; variables.otp: is required; variables: must be an object. Correct the fields.',
      ],
      [{}, 'The service answered 400'],
    ] as const) {
      const { waybill } = answered({ status: 400, body });
      expect(((await thrownBy(waybill.getCredits())) as Error).message).to.equal(message);
    }
  });

  it('that cannot be made, at once, and not as one that may have been sent', async () => {
    const { waybill, calls } = answered(lost);
    for (const idempotencyKey of ['', 'order-ö', 'k'.repeat(256)]) {
      const thrown = await thrownBy(waybill.sendNotification(NOTIFICATION, { idempotencyKey }));
      expect(thrown).to.be.instanceOf(WaybillError).and.not.instanceOf(ConnectionError);
    }
    const endless: Record<string, unknown> = {};
    endless.endless = endless;
    expect(await thrownBy(waybill.sendMessage(endless as never))).to.be.instanceOf(TypeError);
    expect(calls).to.have.length(0);
  });

  it('that cannot be made: without a key, or an address', () => {
    for (const options of [
      { apiKey: '', baseUrl: 'https://waybill.test/api' },
      { apiKey: 'k', baseUrl: 'waybill.test' },
    ]) {
      expect(() => new Waybill(options)).to.throw(WaybillError, 'is needed');
    }
  });
});

describe('a job of the TypeScript client', () => {
  const job = (state: string, waiting: number): Answer => ({
    body: { state, reason: null, counts: { waiting }, amount: 0, plan: {} },
  });

  it('is looked at less and less often while nothing changes, until it rests', async () => {
    const still = Array.from({ length: 9 }, () => job('queued', 2));
    const { waybill, waits } = answered(...still, job('running', 1), job('done', 0));
    const seen: string[] = [];
    for await (const { state, counts } of waybill.jobs.watch('job_1')) {
      seen.push(`${state} ${counts.waiting}`);
    }
    expect(seen).to.deep.equal(['queued 2', 'running 1', 'done 0']);
    const rounded = waits.map((ms) => Math.round(ms / 100) / 10);
    expect(rounded).to.deep.equal([1, 1.5, 2.3, 3.4, 5.1, 7.6, 11.4, 15, 15, 1]);
  });

  it('is watched until the signal ends it', async () => {
    const { waybill, calls } = answered(job('running', 1));
    const control = new AbortController();
    const watching = waybill.jobs.watch('job_1', { signal: control.signal });
    await watching.next();
    control.abort(new Error('enough'));
    expect(await thrownBy(watching.next())).to.have.property('message', 'enough');
    expect(calls).to.have.length(1);
  });

  it('is made under one key until an answer comes, and sends nothing by that', async () => {
    const made = { body: { id: 'job_1', state: 'checking' } };
    const { waybill, calls, keys } = answered(lost, made, lost);
    const spec = { event: 'order_shipped', columns: { to: 'to', variables: {} } } as const;
    expect(await waybill.jobs.create([{ to: '1' }], spec)).to.deep.equal(made.body);
    expect([calls.length, keys().size]).to.deep.equal([2, 1]);
    expect(calls[0]!.key).to.be.a('string');
    const failed = await thrownBy(waybill.retryJob('job_1', { idempotencyKey: 'again' }));
    expect(failed).to.include({ mayHaveBeenSent: false, idempotencyKey: 'again' });
  });
});

describe('the TypeScript client, over a network that fails', () => {
  useRealConnections();
  const world = inSuite(openWorld);

  it('sends once, whatever is lost: the connection, the answer, the address for a while', async () => {
    const tenant = await world.tenant();
    const wire = await startRelay(Number(new URL(world.waybill.url).port));
    const faults = [() => wire.cut(), () => wire.mute(), () => wire.down().then(() => wire.up())];
    let waits = 0;
    const waybill = new Waybill({
      apiKey: tenant.apiKey,
      baseUrl: `http://127.0.0.1:${wire.port}/api`,
      timeoutMs: 10_000,
      async wait() {
        waits += 1;
        wire.cut();
      },
    });
    for (const [index, fault] of faults.entries()) {
      const sends = index + 1;
      const held = world.gate.hold('after');
      const sending = waybill.sendNotification(NOTIFICATION);
      await held.arrived();
      await fault();
      held.release();
      await untilTrue('it is recorded', async () => (await world.charges(tenant)).sent === sends);
      // Where nothing was answered, the connection is found broken at last.
      wire.cut();
      const sent = await sending;
      expect(sent.messageId).to.be.a('string');
    }
    expect(waits).to.be.at.least(3);
    // Whoever hangs up while the provider is called gets the charge back, and the message goes out.
    expect(world.sendsOf(tenant)).to.have.length(3);
    await wire.down();
    expect(await world.problems()).to.deep.equal([]);
  });
});
