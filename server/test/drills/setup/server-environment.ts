import { testSecret } from '#test/setup/gateway.ts'

/**
 * As long as in production: no live stream loses its hold on a busy machine. Nothing waits for the holds of dead
 * processes either, see `world.settleDown`.
 */
export const leaseMs = 60_000
const sweepIntervalMs = 100

/**
 * The configuration of the drills' processes: short intervals, and no rejections because of load or a slow machine. A
 * drill that tests a deadline overrides it.
 */
export function serverEnvironment(urls: { postgres: string; redis: string }): Record<string, string> {
  return {
    WEIR_SECRET: testSecret,
    WEIR_HTTP_PORT: '0',
    WEIR_WORKER_PORT: '0',
    // The balancer probes the port that it sends requests to.
    WEIR_OPERATING_PUBLIC_PROBES: 'true',
    WEIR_POSTGRES_URL: urls.postgres,
    WEIR_REDIS_URL: urls.redis,
    WEIR_REVISIONS_POLL_MS: '100',
    WEIR_LIMITS_INFERENCE_LOW: '100000',
    WEIR_LIMITS_INFERENCE_FUNDED: '100000',
    WEIR_LIMITS_ACCOUNT: '100000',
    WEIR_LIMITS_UNBILLED_USD: '1000000',
    WEIR_MONEY_LEASE_MS: String(leaseMs),
    WEIR_MONEY_SWEEP_INTERVAL_MS: String(sweepIntervalMs),
    WEIR_MONEY_HOLD_DEADLINE_MS: '60000',
    WEIR_MONEY_SETTLE_DEADLINE_MS: '60000',
    WEIR_FILTERS_TIMEOUT_MS: '60000',
    WEIR_BREAKER_FAILURES: '100000',
  }
}
