import { platformChain, systemActor } from '#domain/audit/audit-entry.ts'
import type { Log } from '#lib/log.ts'
import { setBounded } from '#lib/set-bounded.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { CircuitBoard, CircuitChange } from '#ports/circuits.ts'

export interface CircuitReporter {
  /** Returns immediately and never fails: no request waits for it. */
  report(change: CircuitChange): void
  /** A probe of the circuit failed. */
  stillOpen(change: CircuitChange): void
  /** Writes the remaining changes. */
  close(): Promise<void>
}

interface CircuitReporterDeps {
  readonly board: CircuitBoard
  readonly audit: Pick<AuditTrail, 'append'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly count: (change: CircuitChange) => void
  readonly everyMs: number
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}

// An unstable account changes twice a minute for each of its models, and audit entries cannot be removed afterwards.
const auditEveryMs = 3_600_000
const rememberedMax = 10_000

/**
 * Reports circuits to operators: a log line and a metric for each change, a row while a circuit is open, and an audit
 * entry per account and direction at most once an hour.
 */
export function createCircuitReporter(deps: CircuitReporterDeps): CircuitReporter {
  const waiting = new Map<string, CircuitChange>()
  const auditedAtMs = new Map<string, number>()

  async function flush(): Promise<void> {
    if (waiting.size === 0) return
    const changes = [...waiting.values()]
    waiting.clear()
    await deps.board.write(changes).catch(deps.onError)
  }

  function audit({ accountId, account, upstreamModel, to, reason }: CircuitChange): void {
    const subject = `${accountId} ${to}`
    const nowMs = deps.nowMs()
    if (nowMs - (auditedAtMs.get(subject) ?? Number.NEGATIVE_INFINITY) < auditEveryMs) return
    setBounded(auditedAtMs, subject, nowMs, rememberedMax)
    deps.audit
      .append({
        chainId: platformChain,
        actor: systemActor,
        requestId: null,
        action: to === 'open' ? 'provider.circuit.open' : 'provider.circuit.close',
        target: { kind: 'provider', id: accountId },
        details: { account, upstreamModel, reason },
      })
      .catch(deps.onError)
  }

  const put = (change: CircuitChange): void => void waiting.set(`${change.accountId} ${change.upstreamModel}`, change)
  const timer = setInterval(() => void flush(), deps.everyMs)
  timer.unref()
  return {
    report: (change) => {
      const { account, vendor: provider, upstreamModel, reason } = change
      const event = { account, provider, upstreamModel, reason }
      deps.count(change)
      if (change.to === 'open') deps.log.warn(event, 'provider account circuit opened')
      else {
        const openForMs = Math.max(0, deps.nowMs() - change.openedAtMs)
        deps.log.info({ ...event, openForMs }, 'provider account circuit closed')
      }
      put(change)
      audit(change)
    },
    stillOpen: put,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
