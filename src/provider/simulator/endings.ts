import type { Json } from '../shape.ts';
import { type GraphAnswer, graphError, ok } from './answers.ts';
import type { Scenario } from './scenario.ts';

/** How the server ends a call. */
export type CallEnding =
  | GraphAnswer
  | { kind: 'raw'; status: number; contentType: string; text: string }
  | { kind: 'silence' | 'reset' | 'cut_off' };

interface Accepted {
  messageId: string;
  /** Null for a user id whose number the simulator does not know. */
  waId: string | null;
  userId: string;
}

/** The body of the answer to an accepted message: the recipient as the call named it. */
const acceptance = (
  { messageStatus }: Scenario,
  message: Json,
  { messageId, waId, userId }: Accepted,
) => ({
  messaging_product: 'whatsapp',
  contacts: [
    message.to === undefined
      ? { input: message.recipient, user_id: userId }
      : { input: message.to, wa_id: waId },
  ],
  messages: [
    {
      id: messageId,
      ...(message.type === 'template' && { message_status: messageStatus ?? 'accepted' }),
    },
  ],
});

/** How a send call ends in a scenario. */
export const endingOf = (scenario: Scenario, message: Json, outgoing: Accepted): CallEnding => {
  const accepted = acceptance(scenario, message, outgoing);
  switch (scenario.ending) {
    case 'accept':
      return ok(accepted);
    case 'refuse':
      return graphError(scenario.code ?? 131000);
    case 'bad_gateway':
      return { kind: 'raw', status: 502, contentType: 'text/html', text: '<h1>Bad Gateway</h1>' };
    case 'no_id':
      return ok({ messaging_product: 'whatsapp' });
    case 'cut_json': {
      const text = JSON.stringify(accepted);
      const half = text.slice(0, text.length / 2);
      return { kind: 'raw', status: 200, contentType: 'application/json', text: half };
    }
    case 'reset_unread':
      return { kind: 'reset' };
    case 'silence':
    case 'reset':
    case 'cut_off':
      return { kind: scenario.ending };
    default:
      return scenario.ending satisfies never;
  }
};
