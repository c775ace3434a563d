import { z } from 'zod';

/** What an error says beside the fields of the contract; absent where that wants `error` alone. */
export const advice = {
  hint: z.string().optional().describe('What to do next.'),
  docUrl: z.string().optional().describe('The page of this error, at the address of the service.'),
};
