import { createTaskRunner, failureOf, openForWriting } from './tasks.ts';
import { errorOf, type ViewsWriter } from './writer.ts';

/** Writes in the calling thread: for the projector's thread, which serves no requests. */
export const createInlineWriter = (file: string): ViewsWriter => {
  const database = openForWriting(file);
  const write = createTaskRunner(database);
  return {
    async run(task) {
      if (task.kind === 'close') throw new Error('the views are closed by their owner');
      try {
        return write(task);
      } catch (error) {
        throw errorOf(failureOf(error));
      }
    },
    async close() {
      if (database.isOpen) database.close();
    },
  };
};
