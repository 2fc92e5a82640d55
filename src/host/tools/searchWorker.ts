/** The thread in which files are walked and patterns run: its own, so that it can be ended in the middle of either. */
import { parentPort } from 'node:worker_threads';

import { SearchJob } from './searchJob.ts';
import type { FromThread, ToThread } from './searchTask.ts';

const port = parentPort;
if (port !== null) {
  const tell = (message: FromThread): void => port.postMessage(message);
  const running: { job?: SearchJob } = {};
  port.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'task':
        running.job = new SearchJob(message.task, tell);
        return;
      case 'text':
        running.job?.search(message.path, message.text);
        return;
      case 'end':
        // The texts first: what stands in editors is nearest to what is asked.
        running.job?.walk();
        running.job?.end();
        port.close();
    }
  });
}
