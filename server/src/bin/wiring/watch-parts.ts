import type { Logger } from 'pino'
import type { SupervisorOptions } from '#jobs/supervise.ts'
import { logFault } from '#lib/log-fault.ts'

/** Logs which part of a worker fails. */
export function watchParts(logger: Logger): SupervisorOptions['watch'] {
  return (name) => logFault(logger, `the worker's part "${name}" failed`)
}
