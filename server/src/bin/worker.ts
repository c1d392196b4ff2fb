import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import type { Config } from '#config/config-schema.ts'
import { armFailpoints } from '#lib/failpoint.ts'
import { announceReady } from './announce-ready.ts'
import { closeAfterFailure } from './close-after-failure.ts'
import { createLogger } from './create-logger.ts'
import { wireWorker } from './wiring/wire-worker.ts'

/** The worker process: runs the background jobs. */
export async function runWorker(config: Config): Promise<void> {
  armFailpoints(process.env['WEIR_FAILPOINTS'] ?? '')
  const logger = createLogger('worker', config.log)
  const worker = wireWorker(config, logger)
  const address = await closeAfterFailure(worker, worker.start)
  // Node writes its compile cache on a normal exit only, so it is flushed now in case the process is killed.
  flushCompileCache()
  logger.info({ address }, 'the worker is ready')
  announceReady()
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  await worker.close()
  logger.info('stopped')
}
