import type { DialectCall } from '#dialects/dialect.ts'
import { excerptOf } from '#domain/moderation/excerpt.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type Eventually, onceHere } from '#lib/eventually.ts'
import { withDeadline } from '#lib/deadline.ts'
import type {
  BlockedVerdict,
  Evidence,
  EvidenceStore,
  Moderation,
  ModerationRequest,
  ModerationVerdict,
} from '#ports/moderation.ts'
import { firstModelOf, type GuardRequest } from './guard-request.ts'

/** Rejects a request that must not reach any model. Nothing is held for it yet, so nothing must be released. */
export type ContentModeration = (request: GuardRequest, call: DialectCall) => Eventually<void>

export interface ContentModerationDeps {
  moderation: Moderation
  /** Whether requests that cannot be judged are allowed or rejected. */
  whenDown: 'allow' | 'refuse'
  evidence: Pick<EvidenceStore, 'keep'>
  evidenceDays: number
  onBlocked: (verdict: BlockedVerdict) => void
  onDown: (error: unknown) => void
  /** Called if the evidence could not be written. The request is rejected in any case. */
  onLost: (error: unknown) => void
}

/** Maximum stored per request: a client with many rejected requests must not fill the disk. */
const evidenceCharactersMax = 262_144
// A rejection waits no longer than this for its evidence, which continues to be written.
const evidenceDeadlineMs = 2_000
const dayMs = 86_400_000

export function createContentModeration(deps: ContentModerationDeps): ContentModeration {
  return (request, call) => {
    const texts = request.arrival.dialect.texts(call.body)
    if (texts.length === 0) return undefined
    const verdict = review(deps, { texts, payer: request.principal.walletId })
    return onceHere(verdict, (judged) => act(deps, request, texts, judged))
  }
}

function review(deps: ContentModerationDeps, request: ModerationRequest): ReturnType<Moderation['review']> {
  const verdict = deps.moderation.review(request)
  return verdict instanceof Promise ? verdict.catch((error: unknown) => judgeDown(deps, error)) : verdict
}

function judgeDown({ onDown, whenDown }: ContentModerationDeps, error: unknown): ModerationVerdict {
  onDown(error)
  if (whenDown === 'allow') return { allowed: true }
  throw new GatewayError('moderationUnavailable', {
    message: 'Moderation is temporarily unavailable, so this prompt was not sent. Retry shortly.',
    inside: error instanceof Error ? error.message : String(error),
    retryAfterS: 5,
    cause: error,
  })
}

function act(
  deps: ContentModerationDeps,
  request: GuardRequest,
  texts: readonly string[],
  verdict: ModerationVerdict,
): Promise<void> | undefined {
  return verdict.allowed ? undefined : refuse(deps, request, texts, verdict)
}

async function refuse(
  deps: ContentModerationDeps,
  request: GuardRequest,
  texts: readonly string[],
  verdict: BlockedVerdict,
): Promise<never> {
  deps.onBlocked(verdict)
  const written = deps.evidence.keep(evidenceOf(deps, request, texts, verdict))
  await withDeadline(written, evidenceDeadlineMs, late).catch(deps.onLost)
  throw new GatewayError('contentFilter', {
    message: 'This prompt was blocked by moderation. It was not sent to any model, and nothing was charged.',
    inside: `moderation (${verdict.source}): ${verdict.categories.join(', ')}`,
  })
}

function late(): Error {
  return new Error('writing moderation evidence timed out')
}

function evidenceOf(
  { evidenceDays }: ContentModerationDeps,
  request: GuardRequest,
  texts: readonly string[],
  { categories, source, place }: BlockedVerdict,
): Evidence {
  const { arrival, principal } = request
  return {
    id: arrival.generationId,
    atMs: arrival.receivedAtMs,
    expiresAtMs: arrival.receivedAtMs + evidenceDays * dayMs,
    keyId: principal.keyId,
    userId: principal.userId,
    organizationId: principal.organizationId,
    sessionId: principal.institutionSession?.id ?? null,
    requestId: arrival.replyHeaders['x-request-id'] ?? null,
    endpoint: arrival.dialect.name,
    model: firstModelOf(request),
    source,
    categories,
    content: excerptOf(texts, place, evidenceCharactersMax),
  }
}
