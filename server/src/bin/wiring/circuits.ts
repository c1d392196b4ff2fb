import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { logFault } from '#lib/log-fault.ts'
import { type CircuitReporter, createCircuitReporter } from '#pipeline/dispatch/choose/report-circuit.ts'
import type { AuditTrail } from '#ports/audit.ts'
import { forgetCircuits, writeCircuits } from '#store/postgres/operators/provider-circuits.sql.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import type { Metrics } from './metrics.ts'

const writeEveryMs = 500

/** Reports circuits that open and close to operators. */
export function wireCircuits(deps: {
  logger: Logger
  metrics: Metrics
  pools: PostgresPools
  auditTrail: AuditTrail
  nowMs: () => number
}): CircuitReporter {
  const { logger, metrics, pools } = deps
  const gateway = `${hostname()} ${process.pid}`
  const reporter = createCircuitReporter({
    board: { write: (changes) => writeCircuits(pools.general, gateway, changes) },
    audit: deps.auditTrail,
    log: logger,
    count: ({ vendor: provider, account, to }) => metrics.circuitChanges.inc({ provider, account, to }),
    everyMs: writeEveryMs,
    nowMs: deps.nowMs,
    onError: logFault(logger, 'failed to report a circuit change', { level: 'warn', overAfterMs: 60_000 }).failed,
  })
  return {
    ...reporter,
    close: async () => {
      await reporter.close()
      await forgetCircuits(pools.general, gateway).catch(() => {})
    },
  }
}
