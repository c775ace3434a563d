import { expect } from 'chai';
import type { CallResult, EndpointCommand } from '../../../src/commands/webhooks/endpoint.ts';
import { endpointDecider } from '../../../src/commands/webhooks/endpoint.ts';
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
const settings = {
  url: 'https://shop.example/hook',
  topics: ['message.sent' as const],
  description: null,
};
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
const failed = (ms = 0) =>
  attempted({
    outcome: 'retry',
    statusCode: 500,
    at: at(ms),
    nextAt: at(ms + 5000),
    settled: null,
  });
const givenFailed = given(created, failed());

describe('a webhook', () => {
  const create: EndpointCommand = { type: 'Create', ...own, settings, secret: sealed('a') };

  it('is created once', () => {
    given().when(create).thenHappened('WebhookCreated', settings);
    givenCreated.when(create).thenRefused('resource.conflict');
  });

  it('is unknown before its creation, after its deletion, and to another account', () => {
    const deleted = WebhookDeleted.of({ ...own, settled: 0 });
    const commands: EndpointCommand[] = [
      { type: 'Change', ...own, change: {}, active: true },
      { type: 'Rotate', ...own, secret: sealed('b'), previousUntil: at(0) },
      { type: 'Delete', ...own },
      { type: 'Test', ...own },
      { type: 'StartReplay', ...own, replayId: 'r', since: at(0) },
      { type: 'Defer', ...own, source, cause: 'resend', at: at(0) },
    ];
    for (const command of commands) {
      given().when(command).thenRefused('resource.unknown');
      given(created, deleted).when(command).thenRefused('resource.unknown');
      givenCreated.when({ ...command, accountId: 'acc_2' }).thenRefused('resource.unknown');
    }
    given(created, deleted).when(record()).thenNothing();
    givenCreated.when(record({ accountId: 'acc_2' })).thenNothing();
  });

  it('has no event in the format of the provider that the provider has not', () => {
    const graph = { verifyToken: sealed('t') };
    const secret = sealed('a');
    const inGraph = WebhookCreated.of({ ...own, ...settings, graph, secret });
    const givenInGraph = given(inGraph);
    for (const topic of ['account.paused', 'job.finished', 'scheduled.refused'] as const) {
      const topics = [topic];
      given()
        .when({ type: 'Create', ...own, settings: { ...settings, topics, graph }, secret })
        .thenRefused('request.invalid');
      givenInGraph
        .when({ type: 'Change', ...own, change: { topics }, active: undefined })
        .thenRefused('request.invalid');
      given(WebhookCreated.of({ ...own, ...settings, topics, graph, secret }))
        .when({ type: 'Change', ...own, change: {}, active: false })
        .thenHappened('WebhookDisabled', { reason: 'owner' });
    }
    givenInGraph
      .when({ type: 'Change', ...own, change: { topics: ['message.read'] }, active: undefined })
      .thenHappened('WebhookChanged', { graph });
  });

  it('changes only where something differs', () => {
    const change = (changed: object, active?: boolean): EndpointCommand => ({
      type: 'Change',
      ...own,
      change: changed,
      active,
    });
    givenCreated.when(change(settings, true)).thenNothing();
    givenCreated
      .when(change({ description: 'New' }))
      .thenHappened('WebhookChanged', { ...settings, description: 'New' });
    givenCreated.when(change({}, false)).thenHappened('WebhookDisabled', { reason: 'owner' });
    const disabled = WebhookDisabled.of({ ...own, reason: 'gone', failingSince: null });
    given(created, disabled).when(change({}, false)).thenNothing();
    given(created, disabled).when(change({}, true)).thenHappened('WebhookEnabled', own);
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
    const start: EndpointCommand = { type: 'StartReplay', ...own, replayId: 'r-2', since: at(0) };
    const running = WebhookReplayStarted.of({ ...own, replayId: 'r-1', since: at(0) });
    const end = (replayId: string): EndpointCommand => ({ type: 'EndReplay', ...own, replayId });
    givenCreated.when(start).thenHappened('WebhookReplayStarted', { replayId: 'r-2' });
    given(created, running).when(start).thenRefused('resource.conflict');
    given(created, running).when(end('r-0')).thenNothing();
    given(created, running)
      .when(end('r-1'))
      .thenHappened('WebhookReplayEnded', { replayId: 'r-1' });
  });

  it('is enabled before a replay and a test; enabling ends a replay that never ran', () => {
    const disabled = WebhookDisabled.of({ ...own, reason: 'owner', failingSince: null });
    const givenDisabled = given(created, disabled);
    givenDisabled
      .when({ type: 'StartReplay', ...own, replayId: 'r-1', since: at(0) })
      .thenRefused('resource.conflict');
    givenDisabled.when({ type: 'Test', ...own }).thenRefused('resource.conflict');
    const enable: EndpointCommand = { type: 'Change', ...own, change: {}, active: true };
    const asked = WebhookReplayStarted.of({ ...own, replayId: 'r-1', since: at(0) });
    given(created, disabled, asked)
      .when(enable)
      .thenHappened(WebhookReplayEnded.of({ ...own, replayId: 'r-1' }), WebhookEnabled.of(own));
  });

  describe('records', () => {
    it('a success as settled, under the next number', () => {
      givenCreated.when(record()).thenHappened('WebhookAttempted', {
        number: 0,
        attempt: 1,
        outcome: 'delivered',
        settled: 0,
        nextAt: null,
      });
      const deferred = WebhookDeferred.of({
        ...own,
        ...source,
        number: 1,
        begunAt: at(0),
        cause: 'no_room',
      });
      given(created, attempted(), deferred)
        .when(record())
        .thenHappened('WebhookAttempted', { number: 2, settled: 1 });
    });

    it('a failure with its next call, and the last one as failed', () => {
      const begun = { number: 0, begunAt: at(0), attempts: 1, lastCall: 1 };
      for (const statusCode of [null, 199, 302, 404, 500]) {
        givenFailed
          .when(record({ begun, result: result(statusCode) }))
          .thenHappened('WebhookAttempted', {
            number: 0,
            attempt: 2,
            outcome: 'retry',
            nextAt: at(5000),
            settled: null,
          });
      }
      givenFailed
        .when(record({ begun, result: result(500), retryAt: null }))
        .thenHappened('WebhookAttempted', { outcome: 'failed', nextAt: null, settled: 0 });
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
      const later = (ms: number) => record({ at: at(ms), result: result(500) });
      const types = (history: readonly WebhookFact[], command: EndpointCommand) =>
        given(created, ...history)
          .when(command)
          .facts()
          .map(({ type }) => type);
      expect(types([failed()], later(5 * DAY_MS - 1))).to.deep.equal(['WebhookAttempted']);
      expect(types([failed()], later(5 * DAY_MS))).to.deep.equal([
        'WebhookAttempted',
        'WebhookDisabled',
      ]);
      expect(types([failed(), attempted()], later(5 * DAY_MS))).to.deep.equal(['WebhookAttempted']);
      const enabled = WebhookEnabled.of(own);
      expect(types([failed(), enabled], later(5 * DAY_MS))).to.deep.equal(['WebhookAttempted']);
    });

    it('any number of failures at a host that does not exist, whose events are only listed', () => {
      const url = 'https://listen.invalid/';
      const nowhere = WebhookCreated.of({ ...own, ...settings, url, secret: sealed('a') });
      given(nowhere, failed())
        .when(record({ at: at(9 * DAY_MS), result: result(null), retryAt: null }))
        .thenHappened('WebhookAttempted', { outcome: 'failed' });
    });
  });
});
