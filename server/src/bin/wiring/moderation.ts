import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createUpstreamClient } from '#net/upstream-client.ts'
import { createUpstreamModeration } from '#net/upstream-moderation.ts'
import { bothModerations } from '#pipeline/guard/both-moderations.ts'
import { createBuiltInModeration } from '#pipeline/guard/built-in-moderation.ts'
import { type ContentModeration, createContentModeration } from '#pipeline/guard/moderate-content.ts'
import type { FilterEngine } from '#ports/filter-engine.ts'
import type { Moderation } from '#ports/moderation.ts'
import { createEvidenceBook } from '#store/postgres/moderation/evidence-book.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import type { Metrics } from './metrics.ts'

export interface WiredModeration {
  moderateContent: ContentModeration
  close(): Promise<void>
}

interface ModerationNeeds {
  config: Config
  logger: Logger
  metrics: Metrics
  pools: PostgresPools
  /** Runs the patterns of the built-in policies. */
  engine: FilterEngine
  nowMs: () => number
  /** For the host of a moderation service. */
  lookup: LookupFunction
}

/** What judges prompts before they are sent, as the configuration says, and where it keeps what it blocked. */
export function wireModeration(needs: ModerationNeeds): WiredModeration {
  const { config, logger, metrics, pools } = needs
  const { engine, whenDown, evidenceDays } = config.moderation
  if (engine === 'off') return { moderateContent: () => undefined, close: async () => {} }
  const upstream = engine === 'built-in' ? null : wireUpstream(needs)
  const builtIn = engine === 'upstream' ? null : createBuiltInModeration(needs.engine)
  const moderateContent = createContentModeration({
    moderation: combine(builtIn, upstream?.moderation ?? null),
    whenDown,
    evidence: createEvidenceBook(pools.general, sealingKeyOf(config)),
    evidenceDays,
    onBlocked: ({ source }) => metrics.moderationBlocked.inc({ source }),
    onDown: (error) => {
      metrics.moderationDown.inc()
      logger.warn({ err: error, whenDown }, 'a prompt could not be judged')
    },
    onLost: (error) => logger.error({ err: error }, 'evidence of a blocked prompt could not be kept'),
  })
  return { moderateContent, close: async () => upstream?.close() }
}

function combine(first: Moderation | null, second: Moderation | null): Moderation {
  if (first !== null && second !== null) return bothModerations(first, second)
  return first ?? second ?? { review: () => ({ allowed: true }) }
}

function wireUpstream({ config, nowMs, lookup }: Pick<ModerationNeeds, 'config' | 'nowMs' | 'lookup'>): {
  moderation: Moderation
  close(): Promise<void>
} {
  const { moderation, breaker } = config
  const { url, key, model, timeoutMs } = moderation
  const network = createUpstreamClient({ connectTimeoutMs: timeoutMs, connectionsMax: 256, lookup })
  return {
    moderation: createUpstreamModeration({
      upstreams: network,
      url: url ?? '',
      key,
      model,
      timeoutMs,
      health: breaker,
      nowMs,
    }),
    close: () => network.close(),
  }
}
