import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import { downloadMovements, type LedgerFilters, MOVEMENTS_MAX } from './read.ts';

/** The movements that fit, as a file for a spreadsheet. */
export const DownloadMovements = ({
  filters,
  name,
  label = 'Download these as CSV',
}: {
  filters: LedgerFilters;
  /** Of the file. */
  name?: string;
  label?: string;
}) => {
  const [isBusy, setBusy] = useState(false);
  const take = async () => {
    setBusy(true);
    try {
      const { isWhole } = await downloadMovements(filters, name);
      if (!isWhole) toast(`The file has the newest ${MOVEMENTS_MAX} movements`);
    } catch (error) {
      toast(error instanceof Error ? error.message : 'The movements could not be read');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button isBusy={isBusy} onClick={() => void take()}>
      {label}
    </Button>
  );
};
