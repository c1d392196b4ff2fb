import { healthOf } from '#control/operators/account-health.ts'
import type { Finding } from '#control/standing/finding.ts'
import type { JsonObject } from '#lib/json.ts'
import type { AccountCircuits } from '#ports/circuits.ts'
import type { ProviderAccountListing } from '#ports/operators.ts'
import type { Endpoint } from '../endpoint.ts'
import { healthSchema } from './health-schema.ts'

/** What `weir status` and `weir doctor` find, as of a moment. */
export interface HealthReads {
  status(): Promise<HealthReport>
  doctor(): Promise<HealthReport>
  failingProviders(): Promise<{
    readonly accounts: readonly ProviderAccountListing[]
    readonly circuits: readonly AccountCircuits[]
  }>
}

export interface HealthReport {
  readonly checkedAtMs: number
  readonly findings: readonly Finding[]
}

/** The state of the installation as the process that serves this request sees it. */
export function healthEndpoint(health: HealthReads): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.health',
    name: 'getHealth',
    method: 'GET',
    paths: ['/api/admin/health'],
    summary: 'Get the health of the installation',
    description:
      'What `weir status` and `weir doctor` find, on the machine of the gateway that responds. The status is at most two seconds old, the checks of the doctor are at most a minute old.',
    reply: { status: 200, description: 'All findings, and the failing provider accounts.', schema: healthSchema },
    handle: async () => {
      const [status, doctor, { accounts, circuits }] = await Promise.all([
        health.status(),
        health.doctor(),
        health.failingProviders(),
      ])
      const failing = accounts.flatMap((account) => renderFailing(account, circuits))
      return { body: { data: { status: render(status), doctor: render(doctor), failing_providers: failing } } }
    },
  }
}

function renderFailing(account: ProviderAccountListing, circuits: readonly AccountCircuits[]): JsonObject[] {
  const health = healthOf(account, circuits)
  if (health.state === 'ok' || !account.enabled) return []
  const { models, gateways, reason, openedAtMs } = health
  const since = new Date(openedAtMs).toISOString()
  return [{ account: account.name, vendor: account.vendor, since, reason, models: [...models], gateways }]
}

function render({ checkedAtMs, findings }: HealthReport): JsonObject {
  const countIn = (wanted: Finding['state']): number => findings.filter(({ state }) => state === wanted).length
  return {
    checked_at: new Date(checkedAtMs).toISOString(),
    faults: countIn('fault'),
    warnings: countIn('warning'),
    unknown: countIn('unknown'),
    findings: findings.map(({ what, state, says, advice }) => ({ what, state, says, advice: advice ?? null })),
  }
}
