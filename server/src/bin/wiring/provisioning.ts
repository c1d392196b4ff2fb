import type { Config } from '#config/config-schema.ts'
import { publicOriginOf } from '#config/public-origin.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { ScimRouteDeps } from '#http/provisioning/scim-routes.ts'
import { provisioningEndpoints } from '#http/provisioning/token-endpoints.ts'
import { createAdmit } from '#pipeline/admit/admit.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createProvisioning } from '#store/postgres/provisioning/provisioning-store.ts'
import { createScimTokens } from '#store/postgres/provisioning/token-store.ts'
import type { Admission } from './admission.ts'
import type { Snapshots } from './snapshots.ts'

/** Entra expects 25 requests per second. Twice that, so that a first sync is never blocked for going over. */
const requestsPerMinute = 3_000

/** Provisioning of organizations by their directories. */
export function wireProvisioning(deps: {
  config: Config
  pools: PostgresPools
  admission: Admission
  snapshots: Snapshots
  nowMs: () => number
}): { endpoints: Endpoint[]; routes: Omit<ScimRouteDeps, 'bodies' | 'onError'> } {
  const { config, pools, admission, snapshots, nowMs } = deps
  const provisioning = createProvisioning(pools.general)
  const tokens = createScimTokens(pools.general, nowMs)
  const publicOrigin = publicOriginOf(config.http)
  const admit = createAdmit({
    rates: admission.rates,
    brake: snapshots.brake,
    clock: nowMs,
    limits: { ...config.limits, account: requestsPerMinute },
  })
  return {
    endpoints: provisioningEndpoints({ tokens, provisioning, publicOrigin }),
    routes: {
      provisioning,
      tokens,
      announce: admission.announce,
      publicOrigin,
      nowMs,
      admit: ({ walletId, organizationId }) => admit({ ...asRateClient, walletId, keyId: organizationId }, 'account'),
    },
  }
}

const asRateClient = { userId: null, memberId: null, institutionSession: null, balance: zeroUsd }
