import type { LookupFunction } from 'node:net'
import type { Config } from '#config/config-schema.ts'
import { createUpstreamClient } from '#net/upstream-client.ts'
import { createUpstreamModeration } from '#net/upstream-moderation.ts'
import { createBuiltInModeration } from '#pipeline/guard/built-in-moderation.ts'
import { chooseModeration } from '#pipeline/guard/choose-moderation.ts'
import type { FilterEngine } from '#ports/filter-engine.ts'
import type { EvidenceStore, Moderation } from '#ports/moderation.ts'
import { createEvidenceStore } from '#store/postgres/moderation/evidence-store.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { sealingKeyOf } from '../sealing-key.ts'

export interface WiredModeration {
  moderation: Moderation | null
  evidence: EvidenceStore
  close(): Promise<void>
}

/** Checks prompts before dispatch, and stores evidence of blocked ones. */
export function wireModeration(deps: {
  config: Config
  pools: PostgresPools
  /** Runs the patterns of the built-in policies. */
  engine: FilterEngine
  nowMs: () => number
  /** Resolves the host of a moderation service. */
  lookup: LookupFunction
}): WiredModeration {
  const { config, pools, nowMs, lookup } = deps
  const { engine, url, key, model, timeoutMs } = config.moderation
  const upstreams = createUpstreamClient({ connectTimeoutMs: timeoutMs, connectionsMax: 256, lookup })
  const health = config.breaker
  return {
    moderation: chooseModeration(engine, {
      builtIn: () => createBuiltInModeration(deps.engine),
      upstream: () => createUpstreamModeration({ upstreams, url, key, model, timeoutMs, health, nowMs }),
    }),
    evidence: createEvidenceStore(pools.general, sealingKeyOf(config)),
    close: upstreams.close,
  }
}
