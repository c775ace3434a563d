import { invalidFields } from '../../shared/errors.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Outbound } from '../core/outbound.ts';
import { phoneDecider } from '../numbers/phone.ts';

/** Sets the URL to which the inbound messages of a number are forwarded. */
export const createForwardUrls = (deps: {
  writer: Writer;
  outbound: Pick<Outbound, 'problemOf'>;
}) => ({
  /** Null ends the forwarding. Refuses a forbidden URL, and the number of another account. */
  async set(
    phoneNumberId: string,
    webhookUrl: string | null,
    context: CommandContext & { accountId: string },
  ): Promise<void> {
    const problem = webhookUrl === null ? null : await deps.outbound.problemOf(webhookUrl);
    if (problem !== null) throw invalidFields({ webhookUrl: [problem] });
    const { accountId } = context;
    const command = { type: 'SetWebhook' as const, phoneNumberId, accountId, webhookUrl };
    await deps.writer.execute(phoneDecider, phoneNumberId, command, context);
  },
});

export type ForwardUrls = ReturnType<typeof createForwardUrls>;
