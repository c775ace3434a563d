import { readSeal, readSeals } from '../../audit/seals/read-seals.ts';
import type { Seal } from '../../audit/seals/seal.ts';
import { appendSeals } from '../../audit/seals/seals-file.ts';
import type { Outbound } from '../../commands/core/outbound.ts';
import { type SealPlace, sealPlaceDecider } from '../../commands/seals/seals.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Stores } from '../stores.ts';

const POST_TIMEOUT_MS = 10_000;

/** Takes seals to where the operator wants them. Each returns the number of the last seal there. */
export const createPlaces = (
  { settings: { seals } }: Pick<ServiceDeps, 'settings'>,
  { log, writer }: Pick<Stores, 'log' | 'writer'>,
  outbound: Outbound,
) => {
  const logOf = (count: number) => ({
    count,
    noteOf: async (number: number) => (await readSeal(log, number))?.seal.note,
    async *notesAfter(number: number) {
      for await (const { seal } of readSeals(log, number)) yield seal.note;
    },
  });
  const note = async (place: SealPlace, number: number): Promise<number> => {
    if (number === 0) return number;
    const context = { requestId: `seal-${number}`, cause: 'sealing' };
    const command = { type: 'Deliver' as const, place, number };
    await writer.execute(sealPlaceDecider, place, command, context);
    return number;
  };
  const post = async (url: string, { number, origin, note: body }: Seal): Promise<void> => {
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'idempotency-key': `${origin}/seal/${number}`,
    };
    const call = { url, method: 'POST', headers, body, timeoutMs: POST_TIMEOUT_MS, bytesMax: 0 };
    const answer = await outbound.request(call);
    if (answer.kind === 'failed') throw new Error(answer.reason);
    if (answer.status > 299) throw new Error(`the answer was ${answer.status}`);
  };
  return {
    file: seals?.file
      ? async (count: number) => note('file', await appendSeals(seals.file!, logOf(count)))
      : undefined,
    url: seals?.url
      ? async (_: number, signal: AbortSignal) => {
          let { state: number } = await writer.load(sealPlaceDecider, 'url');
          for await (const { seal } of readSeals(log, number)) {
            signal.throwIfAborted();
            await post(seals.url!, seal);
            number = await note('url', seal.number);
          }
          return number;
        }
      : undefined,
  };
};
