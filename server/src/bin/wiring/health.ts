import type { Finding } from '#control/standing/finding.ts'
import { judgeStatus } from '#control/standing/judge-status.ts'
import { healthEndpoint, type HealthReport } from '#http/operators/health-endpoint.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { shareBriefly } from '#lib/share-briefly.ts'
import { examineRunning } from '../standing/examine.ts'
import { readStatus, type StandingDeps } from '../standing/read-status.ts'

// Several operators watch the page at once.
const statusMs = 2_000
// The doctor connects to every provider and measures round trips.
const doctorMs = 60_000

/** The same checks as the commands', run by this gateway. */
export function wireHealth(deps: StandingDeps, nowMs: () => number): Endpoint {
  const share = (forMs: number, check: () => Promise<readonly Finding[]>): (() => Promise<HealthReport>) =>
    shareBriefly(async () => ({ checkedAtMs: nowMs(), findings: await check() }), { forMs, nowMs })
  return healthEndpoint({
    status: share(statusMs, async () => judgeStatus(await readStatus(deps))),
    doctor: share(doctorMs, () => examineRunning(deps)),
    failingProviders: async () => {
      const [accounts, circuits] = await Promise.all([deps.operators.listAccounts(), deps.operators.listCircuits()])
      return { accounts, circuits }
    },
  })
}
