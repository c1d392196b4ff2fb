import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { OwnKeyProvider } from '#control/own-keys/own-key-deps.ts'
import { egressPolicy } from '#domain/egress/egress-policy.ts'
import type { OwnKeyStore } from '#domain/routing/own-keys.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { ownKeyEndpoints } from '#http/own-keys/own-key-endpoints.ts'
import { createEgressGuard } from '#net/egress-guard.ts'
import { createGuardedUpstreams, type GuardedUpstreams } from '#net/guarded-upstreams.ts'
import { createListProviderModels } from '#net/list-provider-models.ts'
import { createOwnKeyNotes, type OwnKeyNotes } from '#pipeline/dispatch/choose/own-key-notes.ts'
import type { Egress } from '#ports/outbound.ts'
import { listsModels, modelsRequest, ownKeyBaseUrl, ownKeyVendor } from '#providers/own-key-vendor.ts'
import { vendors } from '#providers/registry.ts'
import type { VendorSpec } from '#providers/spec.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import { createOwnKeyLoader } from '#store/postgres/own-keys/own-key-loader.ts'
import { createOwnKeyStore } from '#store/postgres/own-keys/own-key-store.ts'
import { noteOwnKeys } from '#store/postgres/own-keys/own-keys.sql.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { logFault } from '#lib/log-fault.ts'
import type { WiredOutbound } from './outbound.ts'
import type { Outside } from './outside.ts'
import type { Snapshots } from './snapshots.ts'

/** Organizations' own keys: loading, upstream access and health. */
export interface WiredOwnKeys {
  egress: Egress
  upstreams: GuardedUpstreams
  notes: OwnKeyNotes
  load: () => Promise<OwnKeyStore>
  /** Number of keys that could not be decrypted at the last load. */
  readonly unopened: number
  endpoints: (snapshots: Snapshots) => Endpoint[]
  close(): Promise<void>
}

const sortedVendors: readonly VendorSpec[] = Object.values<VendorSpec>(vendors).toSorted((one, other) =>
  one.name.localeCompare(other.name, 'en'),
)

/** The providers that an organization can have a key for. */
const ownKeyProviders: ReadonlyMap<string, OwnKeyProvider> = new Map(
  sortedVendors.map((vendor) => [
    vendor.slug,
    {
      slug: vendor.slug,
      name: vendor.name,
      baseUrl: vendor.baseUrl,
      listsModels: listsModels(vendor),
      takesServiceAccounts: vendor.authentication.kind === 'google',
    },
  ]),
)

const syncTimeoutMs = 2_000
const noteEveryMs = 500

export function wireOwnKeys(deps: {
  config: Config
  logger: Logger
  pools: PostgresPools
  outside: Outside
  outbound: WiredOutbound
}): WiredOwnKeys {
  const { config, logger, pools, outside, outbound } = deps
  const { connectTimeoutMs } = config.upstream
  const sealingKey = sealingKeyOf(config)
  const policy = egressPolicy(config.egress.allowedNetworks)
  const guard = createEgressGuard({ policy, resolve: outbound.resolve, connectTimeoutMs })
  const onError = (error: unknown): void => logger.warn({ err: error }, 'failed to process a BYOK key')
  const upstreams = createGuardedUpstreams({ guard, connectTimeoutMs, connectionsMax: 256, onError })
  const notes = createOwnKeyNotes({
    write: (seen) => noteOwnKeys(pools.general, seen),
    everyMs: noteEveryMs,
    nowMs: outside.nowMs,
    onError,
  })
  const loader = createOwnKeyLoader({
    pool: pools.general,
    sealingKey,
    placeOf: (way, baseUrl) => ({
      vendor: ownKeyVendor(way, baseUrl).slug,
      baseUrl: ownKeyBaseUrl(way, baseUrl),
    }),
    report: logFault(logger, "a BYOK key can't be decrypted and is not used"),
  })
  return {
    egress: guard,
    upstreams,
    notes,
    load: async () => {
      const snapshot = await loader.load()
      upstreams.keepOnly(new Set([...snapshot.byOrganization.values()].flat().map(({ id }) => id)))
      return snapshot
    },
    get unopened() {
      return loader.unopened
    },
    endpoints: (snapshots) =>
      ownKeyEndpoints({
        store: createOwnKeyStore(pools.general, outside.nowMs),
        memberships: createMemberships(pools.general),
        egress: guard,
        listModels: createListProviderModels({
          upstreams,
          outbound: outbound.outbound,
          requestFor: modelsRequest,
          timeoutMs: syncTimeoutMs,
        }),
        catalogue: snapshots.catalogue,
        providers: ownKeyProviders,
        sealingKey,
        // The change is already committed. If this refresh fails, the next poll within a second loads the change.
        changed: () => snapshots.refresh().catch(onError),
      }),
    close: async () => {
      await notes.close()
      await upstreams.close()
    },
  }
}
