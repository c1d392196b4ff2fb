import type { Config } from '#config/config-schema.ts'
import type { ProposeDeps } from '#control/catalogue/sync/propose-changes.ts'
import { egressPolicy } from '#domain/egress/egress-policy.ts'
import { createEgressGuard } from '#net/egress-guard.ts'
import { createFetchText } from '#net/fetch-text.ts'
import { createGuardedUpstreams } from '#net/guarded-upstreams.ts'
import type { ResolveHost } from '#ports/outbound.ts'
import { vendors } from '#providers/registry.ts'
import { readTextUpTo } from '../read-text-file.ts'

/** Maximum size of a source; the largest public one has 2 MB. */
const sourceBytesMax = 33_554_432
const sourceTimeoutMs = 60_000

export interface WiredSources {
  readonly texts: ProposeDeps['texts']
  readonly isKnownProvider: ProposeDeps['isKnownProvider']
  close(): Promise<void>
}

/** Reads the sources of a catalogue: URLs behind the egress guard and local files, both with size and time limits. */
export function wireCatalogueSources({ config, resolve }: { config: Config; resolve: ResolveHost }): WiredSources {
  const { connectTimeoutMs } = config.upstream
  const guard = createEgressGuard({ policy: egressPolicy(config.egress.allowedNetworks), resolve, connectTimeoutMs })
  const upstreams = createGuardedUpstreams({ guard, connectTimeoutMs, connectionsMax: 1, onError: () => {} })
  const { judgeText } = guard
  return {
    texts: {
      fetch: createFetchText({ upstreams, judgeText, timeoutMs: sourceTimeoutMs, bytesMax: sourceBytesMax }),
      readFile: (path) => readTextUpTo(path, sourceBytesMax),
    },
    isKnownProvider: (slug) => slug in vendors,
    close: upstreams.close,
  }
}
