import { holdDirectory } from '../events/sqlite/lock.ts';
import { openWitness, type WitnessOptions } from './witness/server.ts';

/** The witness of a folder that no other process has open: two of them would sign two histories. */
export const openWitnessAlone = (options: WitnessOptions) => {
  const { release } = holdDirectory(options.folder, 'witness');
  try {
    return { ...openWitness(options), close: release };
  } catch (error) {
    release();
    throw error;
  }
};
