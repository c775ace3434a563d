import { useEffect, useState } from 'react';

/** A value as it was when it last stayed the same for so long, for what asks the service. */
export const useSettled = <T>(value: T, afterMs: number): T => {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
};
