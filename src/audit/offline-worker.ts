import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteArchive, type Stretch } from '../events/sqlite/archive.ts';
import { readPart } from './offline-part.ts';

// A thread that reads stretches of a log for the books, as it is told; one of several.

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');
const log = openSqliteArchive((workerData as { directory: string }).directory);

port.on('message', (stretch: Stretch) => port.postMessage(readPart(log, stretch)));
