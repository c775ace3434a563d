import type { Outbound } from '../../commands/core/outbound.ts';
import type { Provider, SendOutcome } from '../../provider/provider.ts';
import type { Tracing } from '../../shared/tracing.ts';
import { inSpan, type Told } from './spans.ts';

// Calls to others. None of them gets the traceparent: neither the provider nor a tenant's server sends
// spans to our collector, and their own traces would miss a parent that they cannot see.

const toldOf = (outcome: SendOutcome): Told => {
  const attributes = { 'waybill.outcome': outcome.kind };
  if (outcome.kind === 'accepted') return { attributes };
  if (outcome.kind === 'unknown') return { attributes, failed: 'unknown_outcome' };
  if (outcome.kind === 'unreachable') return { attributes, failed: 'unreachable' };
  const { code, httpStatus } = outcome.refusal;
  return {
    attributes: {
      ...attributes,
      'waybill.provider.code': code ?? undefined,
      'http.response.status_code': httpStatus ?? undefined,
    },
    failed: 'refused',
  };
};

/** A span for each call of the provider, with its waiting and its retries. */
export const tracedProvider = (provider: Provider, tracing: Tracing, url?: string): Provider => {
  const place = url === undefined ? {} : { 'server.address': new URL(url).hostname };
  const traced =
    <Asked extends unknown[], T>(
      name: string,
      call: (...asked: Asked) => Promise<T>,
      tell?: (result: T) => Told,
    ) =>
    (...asked: Asked): Promise<T> =>
      inSpan(
        tracing,
        { name: `provider ${name}`, kind: 'client', attributes: place },
        () => call(...asked),
        tell,
      );
  return {
    send: traced('send', provider.send, toldOf),
    markRead: traced('markRead', provider.markRead),
    uploadMedia: traced('uploadMedia', provider.uploadMedia),
    readMedia: traced('readMedia', provider.readMedia),
    removeMedia: traced('removeMedia', provider.removeMedia),
    takeSlot: traced('takeSlot', provider.takeSlot),
    readNumber: traced('readNumber', provider.readNumber),
    registerNumber: traced('registerNumber', provider.registerNumber),
    subscribe: traced('subscribe', provider.subscribe),
    readVolumes: traced('readVolumes', provider.readVolumes),
    listTemplates: traced('listTemplates', provider.listTemplates),
    readTemplate: traced('readTemplate', provider.readTemplate),
    submitTemplate: traced('submitTemplate', provider.submitTemplate),
    editTemplate: traced('editTemplate', provider.editTemplate),
    removeTemplate: traced('removeTemplate', provider.removeTemplate),
    close: provider.close,
  };
};

/** A span for each call to a URL of a tenant. Its host stays out: it may be of a person. */
export const tracedOutbound = <T extends Outbound>(
  outbound: T,
  tracing: Tracing,
  name: string,
): T => ({
  ...outbound,
  request: (call) =>
    inSpan(
      tracing,
      { name, kind: 'client', attributes: { 'http.request.method': call.method } },
      () => outbound.request(call),
      (outcome) =>
        outcome.kind === 'answered'
          ? { attributes: { 'http.response.status_code': outcome.status } }
          : { failed: 'no_answer' },
    ),
});
