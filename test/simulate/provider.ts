import type { Content } from '../../src/events/content.ts';
import type { Provider, SendOutcome } from '../../src/provider/provider.ts';
import type { ProviderCall } from '../support/invariants/answers.ts';
import type { Life, Runtime } from './runtime.ts';

export const PROVIDER_TIMEOUT_MS = 15_000;

/** A message that the provider has taken, and will report on. */
export interface Accepted {
  messageId: string;
  chargeId: string;
  to: string;
  phoneNumberId: string;
  wabaId: string;
  content: Content;
  /** Events that the log had by then. */
  after: number;
}

/** What may come of a send. */
const FATES = [
  ...Array<'accepted'>(9).fill('accepted'),
  ...Array<'slow'>(4).fill('slow'),
  'refused',
  'refused without a code',
  'accepted, answer lost',
  'never arrived',
] as const;

const profile = {
  displayPhoneNumber: '+1 555-010-0001',
  verifiedName: 'Shop',
  qualityRating: 'GREEN',
  registered: true,
  blockers: [],
  limits: [],
};

const template = {
  metaTemplateId: '300013',
  name: 'order_shipped',
  language: 'en_US',
  category: 'UTILITY',
  status: 'APPROVED' as const,
  statusReason: null,
  components: [{ type: 'BODY', text: 'Your order {{1}}, number {{2}}: {{3}} . Thank you.' }],
};

/** The provider as the simulated processes see it. Chance decides what comes of each send. */
export const createSimulatedProvider = (runtime: Runtime, logged: () => number) => {
  const calls: ProviderCall[] = [];
  /** Calls as they began, also those that never arrived, and the events that the log had by then. */
  const begun: { chargeId: string; after: number }[] = [];
  const accepted: Accepted[] = [];
  /** What callers of `send` were told, one after the other. */
  const told: SendOutcome['kind'][] = [];
  /** When the caller of a charge's send was told. */
  const toldAt = new Map<string, number>();
  let isCalm = true;

  const open = (life: Life): Provider => {
    const turn = (what: string) => runtime.turn(life, what);
    const pause = (delayMs: number) =>
      new Promise<void>((go) => void runtime.after(life, delayMs, 'the provider is slow', go));
    const ask =
      <T>(what: string, answer: T) =>
      async (): Promise<T> => {
        await turn(`the provider: ${what}`);
        return answer;
      };
    const send: Provider['send'] = async ({ phoneNumberId, wabaId }, message) => {
      const { to, chargeId, content } = message;
      begun.push({ chargeId, after: logged() });
      const begunAt = runtime.elapsed();
      const isLate = () => runtime.elapsed() - begunAt > PROVIDER_TIMEOUT_MS;
      const late: SendOutcome = { kind: 'unknown', reason: 'no answer in time' };
      await turn(`send ${chargeId}`);
      const fate = isCalm ? 'accepted' : FATES[Math.floor(runtime.random() * FATES.length)]!;
      if (isLate() || fate === 'never arrived') return late;
      if (fate.startsWith('refused')) {
        const code = fate === 'refused' ? 131_026 : null;
        calls.push({ chargeId, code: code ?? 1 });
        await turn(`${fate}: ${chargeId}`);
        const refusal = { code, subcode: null, message: 'Refused', httpStatus: 400 };
        return isLate() ? late : { kind: 'refused', refusal };
      }
      const messageId = `wamid.S${accepted.length + 1}`;
      calls.push({ chargeId, code: null });
      const place = { to, phoneNumberId, wabaId };
      accepted.push({ messageId, chargeId, ...place, content, after: logged() });
      if (fate === 'slow') await pause(runtime.random() * 1.4 * PROVIDER_TIMEOUT_MS);
      await turn(`${fate}: ${chargeId} is ${messageId}`);
      if (isLate() || fate === 'accepted, answer lost') return late;
      return { kind: 'accepted', messageId, recipientWaId: to.replace('+', '') };
    };
    const provider: Partial<Provider> = {
      async send(...asked) {
        const outcome = await send(...asked);
        toldAt.set(asked[1].chargeId, runtime.elapsed());
        told.push(outcome.kind);
        return outcome;
      },
      takeSlot: async (number) => ({
        key: number.phoneNumberId,
        use: () => true,
        release: () => undefined,
      }),
      markRead: ask('mark as read', undefined),
      readNumber: ask('read a number', profile),
      subscribe: ask('subscribe', { subscribed: true, problem: null }),
      listTemplates: ask('list templates', [template]),
      readTemplate: ask('read a template', template),
      readVolumes: ask('read volumes', []),
      close: async () => undefined,
    };
    return provider as Provider;
  };

  return {
    open,
    calls,
    begun,
    accepted,
    told,
    toldAt,
    /** Whether every send is accepted. */
    setCalm(now: boolean) {
      isCalm = now;
    },
  };
};
