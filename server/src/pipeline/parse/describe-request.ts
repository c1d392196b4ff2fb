import type { ConversationDialect, DialectCall } from '#dialects/dialect.ts'
import type { CanonicalCall } from '#domain/inference/call.ts'
import type { Part } from '#domain/inference/parts.ts'
import type { AutoRequest } from '#domain/routing/auto/features.ts'

/** What the scorer is to know of a request, whatever its dialect. */
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

/** The last message in which the user said or showed something: results of tools belong to what was asked before them. */
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
