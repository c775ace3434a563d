import { type BalanceAt, balanceAfter, isLink } from '../commands/account/funds.ts';
import { decode, type KnownEvent } from '../events/index.ts';
import { AppError } from '../shared/errors.ts';
import { type ExportReport, isEvent, isStart, parse, verifyExport } from './export-file.ts';
import { isMoneyEvent } from './movement.ts';

/** What an export says of a moment, and whether it is sound. */
interface BalanceInExport {
  report: ExportReport;
  /** Undefined for an export without an account. */
  found: BalanceAt | undefined;
  /** Time of its last event, after which it knows nothing. */
  lastAt: string;
}

/**
 * The balance at a moment (ISO 8601) as the service answers it, from an export alone, which is verified
 * in the same pass. Throws for a moment before the first movement of an export of a period.
 */
export const balanceInExport = async (
  lines: AsyncIterable<string>,
  asOf: string,
  onProgress?: (events: number) => void,
): Promise<BalanceInExport> => {
  let found: BalanceAt | undefined;
  let isPart = false;
  let lastAt = '';
  const take = (event: KnownEvent): void => {
    lastAt = isLink(event) ? event.data.at : event.meta.at;
    if (event.type === 'AccountOpened') {
      found = { balance: 0, billing: event.data.billing, entryId: null };
    } else if (isMoneyEvent(event) && event.data.at <= asOf) found = balanceAfter(event);
  };
  async function* seen() {
    for await (const line of lines) {
      const value = parse(line);
      if (isStart(value)) isPart = true;
      else if (isEvent(value)) take(decode(value) as unknown as KnownEvent);
      yield line;
    }
  }
  const report = await verifyExport(seen(), onProgress);
  if (!found && isPart) {
    const what = `The export has no movement up to ${asOf}: export an earlier period, or all of it`;
    throw new AppError('resource.conflict', what);
  }
  return { report, found, lastAt };
};
