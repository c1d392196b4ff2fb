import { setTimeout } from 'node:timers/promises'
import type { Config } from '#config/config-schema.ts'
import type { ProbeDeps } from '#jobs/provider-check/run-probe.ts'
import { createAuthorizeRequest } from '#net/authorize-request.ts'
import { createUpstreamClient } from '#net/upstream-client.ts'

/** Opens the resources for test requests to providers, and closes them afterwards. */
export async function withProbes<T>({ upstream }: Config, use: (deps: ProbeDeps) => Promise<T>): Promise<T> {
  const { connectTimeoutMs, googleTokenUrl } = upstream
  const upstreams = createUpstreamClient({ connectTimeoutMs, connectionsMax: 1 })
  const authorize = createAuthorizeRequest({ upstreams, googleTokenUrl, nowMs: Date.now, onError: () => {} })
  try {
    return await use({ upstreams, authorize, timeouts: upstream, wait: (ms) => setTimeout(ms) })
  } finally {
    await upstreams.close()
  }
}
