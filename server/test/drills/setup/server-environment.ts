import { testSecret } from '#test/setup/gateway.ts'

export const leaseMs = 1_500
export const sweepIntervalMs = 200
// The machine may be busy: a sweep that is due can come this much later.
export const patienceMs = 3_000

/** The configuration of the drills' processes: short leases, and nothing that refuses a load. */
export function serverEnvironment(urls: { postgres: string; redis: string }): Record<string, string> {
  return {
    WEIR_SECRET: testSecret,
    WEIR_HTTP_PORT: '0',
    WEIR_WORKER_PORT: '0',
    WEIR_POSTGRES_URL: urls.postgres,
    WEIR_REDIS_URL: urls.redis,
    WEIR_REVISIONS_POLL_MS: '100',
    WEIR_LIMITS_INFERENCE_LOW: '100000',
    WEIR_LIMITS_INFERENCE_FUNDED: '100000',
    WEIR_LIMITS_ACCOUNT: '100000',
    WEIR_MONEY_LEASE_MS: String(leaseMs),
    WEIR_MONEY_SWEEP_INTERVAL_MS: String(sweepIntervalMs),
    WEIR_BREAKER_FAILURES: '100000',
  }
}
