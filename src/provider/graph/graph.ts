import type { Clock } from '../../shared/clock.ts';
import { type Provider, ProviderRefused, type Sender, type SendOutcome } from '../provider.ts';
import { encodeMessage, encodeReceipt } from '../rules/message-types.ts';
import { asBounded, asDigits, asId, asUserId, firstOf, type Json } from '../shape.ts';
import { readVolumes } from './analytics.ts';
import { createClient, type ProviderLog, type Reply, readRefusal } from './client.ts';
import { bodyOf, createManage } from './manage.ts';
import { createMediaCalls } from './media.ts';
import { createNumberThrottle } from './number-throttle.ts';
import { numberFields, readProfile, subscribe } from './numbers.ts';
import { createSubmissions, createTemplateReads } from './templates.ts';
import { createTransport, type Transport } from './transport.ts';

interface GraphProviderOptions {
  /** Origin of the provider, with or without a path before the version. */
  baseUrl: string;
  /** Such as `v25.0`; pinned, because an app's default changes. */
  version: string;
  /** Limit of one call with all its waiting and retries. */
  timeoutMs: number;
  /** The most sockets to the provider, and so the most calls at the same time. */
  connections?: number;
  /** Must never go back; the default is monotonic. */
  clock?: Clock;
  random?: () => number;
  logger?: ProviderLog;
}

const CONNECTIONS = 256;
/** Connections for uploads. */
const UPLOADS = 64;
const STATUS_LENGTH_MAX = 64;
/** A listing takes many calls; its time limit is this many times that of one call. */
const LISTING_CALLS = 4;

const accepted = (body: Json): SendOutcome | undefined => {
  const message = firstOf(body.messages);
  const messageId = asId(message.id);
  if (messageId === null) return undefined;
  const contact = firstOf(body.contacts);
  const recipientWaId = asDigits(contact.wa_id);
  const userId = asUserId(contact.user_id);
  const status = asBounded(message.message_status, STATUS_LENGTH_MAX);
  const isHeld = status !== null && status !== 'accepted';
  return {
    kind: 'accepted',
    messageId,
    recipientWaId,
    ...(userId !== null && { recipientUserId: userId }),
    ...(isHeld && { providerStatus: status }),
  };
};

const sendOutcome = (
  reply: Reply,
  { accessToken }: Sender,
  log: ProviderLog | undefined,
): SendOutcome => {
  switch (reply.kind) {
    case 'ok': {
      const outcome = accepted(reply.body);
      if (outcome) return outcome;
      log?.warn(
        { status: reply.status, fields: Object.keys(reply.body) },
        'the provider accepted a message without an id',
      );
      return {
        kind: 'refused',
        refusal: readRefusal(reply.status, reply.body, accessToken),
      };
    }
    case 'refused':
    case 'unreachable':
      return reply;
    case 'unknown':
      return { kind: 'unknown', reason: `the provider gave no whole answer (${reply.reason})` };
    default:
      return reply satisfies never;
  }
};

/** Throws an error of the port unless the provider confirms the call. */
const mustSucceed = ({ accessToken }: Sender, reply: Reply): void => {
  const body = bodyOf(reply);
  if (body.success !== true) throw new ProviderRefused(readRefusal(200, body, accessToken));
};

/** The provider over its Graph API. */
export const createGraphProvider = (
  options: GraphProviderOptions,
): Provider & Pick<Transport, 'heard'> => {
  const { timeoutMs, logger: log, connections = CONNECTIONS } = options;
  const { clock = performance, random = Math.random } = options;
  const { origin, pathname } = new URL(options.baseUrl);
  const root = `${pathname.replace(/^\/|\/$/g, '')}/${options.version}`.replace(/^\//, '');
  const transport = createTransport({ origin, timeoutMs, connections, clock });
  const throttle = createNumberThrottle({ connections, clock, random });
  const client = createClient({ transport, throttle, clock, timeoutMs, log });
  const manage = createManage(client, root);
  const reads = createTemplateReads(manage, { clock, timeoutMs: LISTING_CALLS * timeoutMs });
  const files = createTransport({ origin, timeoutMs, connections: UPLOADS, clock });
  const media = createMediaCalls({ transport: files, manage, root, clock, random });
  const submissions = createSubmissions(manage, reads);

  return {
    async send(sender, { to, content, contextMessageId, chargeId, direct }, slot) {
      const { phoneNumberId, messagesPerSecond, accessToken } = sender;
      const reply = await client.call(
        { key: phoneNumberId, perSecond: messagesPerSecond, slot },
        {
          method: 'POST',
          path: `/${root}/${encodeURIComponent(phoneNumberId)}/messages`,
          token: accessToken,
          body: JSON.stringify(
            encodeMessage(to, content, {
              chargeId,
              contextMessageId,
              messagingAccountId: sender.messagingAccountId,
              direct,
            }),
          ),
        },
      );
      return sendOutcome(reply, sender, log);
    },

    async markRead(sender, { messageId, typing }) {
      const receipt = encodeReceipt(messageId, typing);
      const path = `${encodeURIComponent(sender.phoneNumberId)}/messages`;
      mustSucceed(sender, await manage.post(sender, path, receipt));
    },

    uploadMedia: media.upload,
    readMedia: media.read,
    removeMedia: media.remove,

    takeSlot: ({ phoneNumberId, messagesPerSecond }, { withinMs, signal, rank }) =>
      throttle.takeSlot(phoneNumberId, messagesPerSecond, clock.now() + withinMs, signal, rank),

    async readNumber(sender) {
      const path = encodeURIComponent(sender.phoneNumberId);
      return readProfile(bodyOf(await manage.get(sender, path, { fields: numberFields })));
    },

    async registerNumber(sender, pin) {
      const path = `${encodeURIComponent(sender.phoneNumberId)}/register`;
      const reply = await manage.post(
        sender,
        path,
        { messaging_product: 'whatsapp', pin },
        { once: true },
      );
      mustSucceed(sender, reply);
    },

    subscribe: (sender) => subscribe(manage, sender),
    readVolumes: (sender, period) => readVolumes(manage, sender, period),
    listTemplates: (sender, name) => reads.list(sender, name),
    readTemplate: (sender, metaTemplateId) => reads.readOwn(sender, metaTemplateId),
    submitTemplate: (sender, draft) => submissions.submit(sender, draft),
    editTemplate: (sender, metaTemplateId, components) =>
      submissions.edit(sender, metaTemplateId, components),
    async removeTemplate(sender, { name, metaTemplateId }) {
      const path = `${encodeURIComponent(sender.wabaId)}/message_templates`;
      const query = { name, ...(metaTemplateId !== undefined && { hsm_id: metaTemplateId }) };
      mustSucceed(sender, await manage.remove(sender, path, query));
    },
    heard: transport.heard,
    async close() {
      await Promise.all([client.close(), files.close()]);
    },
  };
};
