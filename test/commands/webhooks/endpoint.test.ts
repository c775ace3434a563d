import { expect } from 'chai';
import {
  type CallResult,
  type EndpointCommand,
  endpointDecider,
} from '../../../src/commands/webhooks/endpoint.ts';
import {
  WebhookAttempted,
  WebhookChanged,
  WebhookCreated,
  WebhookDeferred,
  WebhookDeleted,
  WebhookDisabled,
  WebhookEnabled,
  type WebhookFact,
  WebhookReplayEnded,
  WebhookReplayStarted,
  WebhookRotated,
  type WebhookSource,
} from '../../../src/events/webhook.ts';
import { spec } from '../../support/spec.ts';

const own = { endpointId: 'wh_1', accountId: 'acc_1' };
const url = 'https://shop.example/hook';
const settings = { url, topics: ['message.sent' as const], description: null };
const sealed = (text: string) => ({ key: 'v1', iv: '', tag: '', text });
const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-21T12:00:00.000Z');
const at = (ms: number) => new Date(START + ms).toISOString();
const source: WebhookSource = {
  eventId: 'e-1',
  topic: 'message.sent',
  stream: 'message-1',
  revision: 0,
  orderKey: 'c-1',
};
const created = WebhookCreated.of({ ...own, ...settings, secret: sealed('a') });
const given = spec(endpointDecider);
const givenCreated = given(created);

const result = (statusCode: number | null): CallResult => ({
  statusCode,
  latencyMs: 5,
  error: statusCode === null ? 'no answer in time' : null,
});
const record = (
  change: Partial<Extract<EndpointCommand, { type: 'Record' }>> = {},
): EndpointCommand => ({
  type: 'Record',
  ...own,
  source,
  begun: undefined,
  result: result(200),
  retryAt: at(5000),
  at: at(0),
  ...change,
});
const attempted = (change: Partial<ReturnType<typeof WebhookAttempted.of>['data']> = {}) =>
  WebhookAttempted.of({
    ...own,
    ...source,
    number: 0,
    begunAt: at(0),
    attempt: 1,
    at: at(0),
    outcome: 'delivered',
    statusCode: 200,
    latencyMs: 5,
    error: null,
    nextAt: null,
    settled: 0,
    ...change,
  });
const failed = attempted({ outcome: 'retry', statusCode: 500, nextAt: at(5000), settled: null });
const givenFailed = given(created, failed);
const disabledFor = (reason: 'owner' | 'gone') =>
  WebhookDisabled.of({ ...own, reason, failingSince: null });
const change = (changed: object, active?: boolean): EndpointCommand => ({
  type: 'Change',
  ...own,
  change: changed,
  active,
});
const startReplay = (replayId: string): EndpointCommand => ({
  type: 'StartReplay',
  ...own,
  replayId,
  since: at(0),
});
const replayStarted = WebhookReplayStarted.of({ ...own, replayId: 'r-1', since: at(0) });

describe('a webhook', () => {
  const create = { type: 'Create' as const, ...own, settings, secret: sealed('a') };

  it('is created once', () => {
    given().when(create).thenHappened('WebhookCreated', settings);
    givenCreated.when(create).thenRefused('resource.conflict');
  });

  it('is unknown before its creation, after its deletion, and to another account', () => {
    const deleted = WebhookDeleted.of({ ...own, settled: 0 });
    const commands: EndpointCommand[] = [
      change({}, true),
      { type: 'Rotate', ...own, secret: sealed('b'), previousUntil: at(0) },
      { type: 'Delete', ...own },
      { type: 'Test', ...own },
      startReplay('r'),
      { type: 'Defer', ...own, source, cause: 'resend', at: at(0) },
    ];
    const givenDeleted = given(created, deleted);
    for (const command of commands) {
      given().when(command).thenRefused('resource.unknown');
      givenDeleted.when(command).thenRefused('resource.unknown');
      givenCreated.when({ ...command, accountId: 'acc_2' }).thenRefused('resource.unknown');
    }
    givenDeleted.when(record()).thenNothing();
    givenCreated.when(record({ accountId: 'acc_2' })).thenNothing();
  });

  it('has no event in the format of the provider that the provider has not', () => {
    const graph = { verifyToken: sealed('t') };
    const secret = sealed('a');
    const givenInGraph = given(WebhookCreated.of({ ...own, ...settings, graph, secret }));
    for (const topic of ['account.paused', 'job.finished', 'scheduled.refused'] as const) {
      const inGraph = { ...settings, topics: [topic], graph };
      const givenOld = given(WebhookCreated.of({ ...own, ...inGraph, secret }));
      given()
        .when({ ...create, settings: inGraph })
        .thenRefused('request.invalid');
      givenInGraph.when(change({ topics: [topic] })).thenRefused('request.invalid');
      givenOld.when(change({}, false)).thenHappened('WebhookDisabled', { reason: 'owner' });
    }
    const read = change({ topics: ['message.read'] });
    givenInGraph.when(read).thenHappened('WebhookChanged', { graph });
  });

  it('changes only where something differs', () => {
    const gone = disabledFor('gone');
    const renamed = { ...settings, description: 'New' };
    givenCreated.when(change(settings, true)).thenNothing();
    givenCreated.when(change({ description: 'New' })).thenHappened('WebhookChanged', renamed);
    givenCreated.when(change({}, false)).thenHappened('WebhookDisabled', { reason: 'owner' });
    given(created, gone).when(change({}, false)).thenNothing();
    given(created, gone).when(change({}, true)).thenHappened('WebhookEnabled', own);
    const moved = WebhookChanged.of({ ...own, ...settings, url: 'https://new.example/' });
    expect(given(created, moved).state.url).to.equal('https://new.example/');
  });

  it('keeps the secret before the newest alone', () => {
    const rotated = (text: string, ms: number) =>
      WebhookRotated.of({ ...own, secret: sealed(text), previousUntil: at(ms) });
    expect(given(created, rotated('b', 1), rotated('c', 2)).state.secrets).to.deep.equal([
      { sealed: sealed('c'), until: null },
      { sealed: sealed('b'), until: at(2) },
    ]);
  });

  it('has one replay at a time, which its end ends', () => {
    const end = (replayId: string) => ({ type: 'EndReplay', ...own, replayId }) as const;
    const givenRunning = given(created, replayStarted);
    givenCreated.when(startReplay('r-2')).thenHappened('WebhookReplayStarted', { replayId: 'r-2' });
    givenRunning.when(startReplay('r-2')).thenRefused('resource.conflict');
    givenRunning.when(end('r-0')).thenNothing();
    givenRunning.when(end('r-1')).thenHappened('WebhookReplayEnded', { replayId: 'r-1' });
  });

  it('is enabled before a replay and a test; enabling ends a replay that never ran', () => {
    const disabled = disabledFor('owner');
    const givenDisabled = given(created, disabled);
    givenDisabled.when(startReplay('r-1')).thenRefused('resource.conflict');
    givenDisabled.when({ type: 'Test', ...own }).thenRefused('resource.conflict');
    const ended = WebhookReplayEnded.of({ ...own, replayId: 'r-1' });
    const givenAsked = given(created, disabled, replayStarted);
    givenAsked.when(change({}, true)).thenHappened(ended, WebhookEnabled.of(own));
  });

  describe('records', () => {
    it('a success as settled, under the next number', () => {
      const delivered = { number: 0, attempt: 1, outcome: 'delivered', settled: 0, nextAt: null };
      givenCreated.when(record()).thenHappened('WebhookAttempted', delivered);
      const next = { number: 1, begunAt: at(0), cause: 'no_room' as const };
      const deferred = WebhookDeferred.of({ ...own, ...source, ...next });
      const givenDeferred = given(created, attempted(), deferred);
      givenDeferred.when(record()).thenHappened('WebhookAttempted', { number: 2, settled: 1 });
    });

    it('a failure with its next call, and the last one as failed', () => {
      const begun = { number: 0, begunAt: at(0), attempts: 1, lastCall: 1 };
      const retried = { outcome: 'retry', nextAt: at(5000), settled: null };
      for (const statusCode of [null, 199, 302, 404, 500]) {
        const again = givenFailed.when(record({ begun, result: result(statusCode) }));
        again.thenHappened('WebhookAttempted', { number: 0, attempt: 2, ...retried });
      }
      const last = givenFailed.when(record({ begun, result: result(500), retryAt: null }));
      last.thenHappened('WebhookAttempted', { outcome: 'failed', nextAt: null, settled: 0 });
    });

    it('410 as the last call, and is disabled by it', () => {
      givenCreated
        .when(record({ result: result(410) }))
        .thenHappened(
          { type: 'WebhookAttempted', data: { outcome: 'failed', nextAt: null } },
          { type: 'WebhookDisabled', data: { reason: 'gone' } },
        );
    });

    it('five days of failing, and is disabled by them; a success begins anew', () => {
      const typesAfter = (ms: number, ...history: readonly WebhookFact[]) => {
        const later = record({ at: at(ms), result: result(500) });
        const facts = given(created, ...history)
          .when(later)
          .facts();
        return facts.map(({ type }) => type);
      };
      const [early, due] = [5 * DAY_MS - 1, 5 * DAY_MS];
      const enabled = WebhookEnabled.of(own);
      expect(typesAfter(early, failed)).to.deep.equal(['WebhookAttempted']);
      expect(typesAfter(due, failed)).to.deep.equal(['WebhookAttempted', 'WebhookDisabled']);
      expect(typesAfter(due, failed, attempted())).to.deep.equal(['WebhookAttempted']);
      expect(typesAfter(due, failed, enabled)).to.deep.equal(['WebhookAttempted']);
    });

    it('any number of failures at a host that does not exist, whose events are only listed', () => {
      const nowhere = { ...created, data: { ...created.data, url: 'https://listen.invalid/' } };
      const last = record({ at: at(9 * DAY_MS), result: result(null), retryAt: null });
      const listed = given(nowhere, failed).when(last);
      listed.thenHappened('WebhookAttempted', { outcome: 'failed' });
    });
  });
});
