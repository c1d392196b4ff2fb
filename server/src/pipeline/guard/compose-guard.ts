import type { DialectCall } from '#dialects/dialect.ts'
import { type Eventually, onceHere } from '#lib/eventually.ts'
import type { Log } from '#lib/log.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { EvidenceStore, Moderation } from '#ports/moderation.ts'
import type { FilterEngine } from '#ports/filter-engine.ts'
import type { SessionQuotas } from '#ports/institutions.ts'
import { type ContentFilter, createContentFilter } from './filter-content.ts'
import { createGuard, type GuardStage } from './guard.ts'
import { type ContentModeration, type ContentModerationDeps, createContentModeration } from './moderate-content.ts'
import type { GuardRequest } from './guard-request.ts'
import type { RuleCache } from './rule-cache.ts'

export interface GuardPorts {
  readonly sessionQuotas: SessionQuotas
  readonly filterRules: Pick<RuleCache, 'find'>
  readonly filterEngine: Pick<FilterEngine, 'inspect'>
  /** Null if the operator has turned moderation off. */
  readonly moderation: Moderation | null
  readonly evidence: Pick<EvidenceStore, 'keep'>
  readonly audit: Pick<AuditTrail, 'append'>
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly metrics: GuardMetrics
}

export interface GuardMetrics {
  readonly moderationBlocked: { inc(labels: { source: string }): void }
  readonly moderationDown: { inc(): void }
}

export type GuardSettings = Pick<ContentModerationDeps, 'whenDown' | 'evidenceDays'>

/** The guard stage with its filters and its moderation, and the receivers of their findings. */
export function composeGuard(ports: GuardPorts, settings: GuardSettings): GuardStage {
  return createGuard({ sessionQuotas: ports.sessionQuotas, ...composeReaders(ports, settings) })
}

/** Filters and moderation alone, for texts that come before the request that will use them. */
export function composeInspect(ports: GuardPorts, settings: GuardSettings): InspectTexts {
  const { filterContent, moderateContent } = composeReaders(ports, settings)
  return (request) => onceHere(filterContent(request), (call) => onceHere(moderateContent(request, call), () => call))
}

export type InspectTexts = (request: GuardRequest) => Eventually<DialectCall>

function composeReaders(
  ports: GuardPorts,
  settings: GuardSettings,
): { readonly filterContent: ContentFilter; readonly moderateContent: ContentModeration } {
  const { audit, log } = ports
  const filterContent = createContentFilter({
    rules: ports.filterRules,
    engine: ports.filterEngine,
    record: (entry) => {
      audit.append(entry).catch((error: unknown) => {
        log.error({ err: error, entry }, 'failed to write a content filter hit to the audit log')
      })
    },
  })
  return { filterContent, moderateContent: composeModeration(ports, settings) }
}

function composeModeration(
  { moderation, evidence, log, metrics }: GuardPorts,
  { whenDown, evidenceDays }: GuardSettings,
): ContentModeration {
  if (moderation === null) return () => undefined
  return createContentModeration({
    moderation,
    whenDown,
    evidence,
    evidenceDays,
    onBlocked: ({ source }) => metrics.moderationBlocked.inc({ source }),
    onDown: (error) => {
      metrics.moderationDown.inc()
      log.warn({ err: error, whenDown }, 'moderation failed for a prompt')
    },
    onLost: (error) => log.error({ err: error }, 'failed to store evidence of a blocked prompt'),
  })
}
