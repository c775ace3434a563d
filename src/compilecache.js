import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Loaded with `--import`, before the first of our files and in every thread: what Node made of a
// file of ours is kept beside the packages, so that it need not be made again at the next start.
// JavaScript, because translating this file would load the very translator that it is to spare:
// that costs each thread some ten megabytes for as long as it lives.

enableCompileCache(
  process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../node_modules/.cache/waybill'),
);
