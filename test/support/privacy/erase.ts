import { untilTrue } from '../until.ts';
import type { Json, Waybill } from '../waybill.ts';

/** Erases a contact as an administrator does, and waits until it is done. Resolves to the erasure. */
export const eraseContact = async (
  waybill: Waybill,
  contact: string,
  accountId?: string,
): Promise<Json> => {
  const asked = await waybill.admin('POST', '/erasures', {
    contact,
    ...(accountId && { accountId }),
  });
  if (asked.status !== 202) throw new Error(`${asked.status}: ${JSON.stringify(asked.body)}`);
  let erasure: Json;
  await untilTrue('the erasure is done', async () => {
    ({ body: erasure } = await waybill.admin('GET', `/erasures/${asked.body.id}`));
    return erasure.state === 'done';
  });
  return erasure;
};
