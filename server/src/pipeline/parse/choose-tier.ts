import type { ConversationDialect, DialectCall } from '#dialects/dialect.ts'
import { isFreeEntry, type Model } from '#domain/catalogue/model.ts'
import type { CanonicalCall } from '#domain/inference/call.ts'
import type { Part } from '#domain/inference/parts.ts'
import type { AutoName } from '#domain/routing/auto/auto-name.ts'
import type { AutoTables } from '#domain/routing/auto/auto-tables.ts'
import type { AutoRequest } from '#domain/routing/auto/features.ts'
import { promoteScore } from '#domain/routing/auto/promote-score.ts'
import { scoreRequest } from '#domain/routing/auto/score-request.ts'
import type { Excluded } from '#domain/routing/explanation.ts'
import type { Resolution } from '#domain/routing/resolve-model.ts'
import { GatewayError } from '#errors/gateway-error.ts'

interface Chosen {
  readonly tier: string
  readonly models: readonly Model[]
  readonly excluded: readonly Excluded[]
}

/**
 * For a request that leaves the choice of the model to the gateway: its tier, and the tier's existing models in the
 * operator's order.
 */
export function chooseTier(
  { call, dialect, auto }: { call: DialectCall; dialect: ConversationDialect; auto: AutoName },
  tables: AutoTables,
  resolve: (id: string) => Resolution,
): Chosen {
  const tier = promoteScore(scoreRequest(describeRequest(call, dialect)))
  const row = tables[auto.table].get(tier)
  if (row?.enabled === false) throw unavailable(call.modelName, tier, 'is disabled')
  const models: Model[] = []
  const excluded: Excluded[] = []
  for (const id of row?.models ?? []) {
    const resolution = resolve(id)
    if (!resolution.found) excluded.push({ model: id, provider: null, rule: 'retired' })
    // A name may lead to another entry than intended. A model requested as free must be free.
    else if (auto.table === 'paid' || isFreeEntry(resolution.model)) models.push(resolution.model)
    else excluded.push({ model: id, provider: null, rule: 'unfit' })
  }
  if (models.length === 0) throw unavailable(call.modelName, tier, 'has no models')
  return { tier, models, excluded }
}

function unavailable(name: string, tier: string, why: string): GatewayError {
  return new GatewayError('noUpstream', {
    message: `"${name}" routed this request to the tier "${tier}", which currently ${why}. Specify a model instead.`,
    inside: `auto tier ${tier} ${why}; see \`weir auto list\``,
  })
}

/** The scorer's view of a request, independent of its dialect. */
export function describeRequest(call: DialectCall, dialect: ConversationDialect): AutoRequest {
  const canonical = dialect.toCanonical(call)
  const asked = lastAsked(canonical)
  const kinds = new Set(asked.map(({ kind }) => kind))
  return {
    text: textOf(asked),
    systemText: textOf(canonical.system),
    turnCount: canonical.turns.length,
    hasTools: call.hasTools,
    hasImage: kinds.has('image'),
    hasVideo: kinds.has('video'),
    hasAudio: kinds.has('audio'),
    hasFile: kinds.has('file'),
    wantsImage: wantsImage(call),
    wantsJson: canonical.responseFormat !== null,
  }
}

/** The last message with user content. Tool results belong to the message before them. */
function lastAsked({ turns }: CanonicalCall): readonly Part[] {
  const turn = turns.findLast(({ role, parts }) => role === 'user' && parts.some(({ kind }) => kind !== 'tool-result'))
  return turn?.parts ?? []
}

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n')
}

function wantsImage({ body }: DialectCall): boolean {
  return Array.isArray(body.modalities) && body.modalities.includes('image')
}
