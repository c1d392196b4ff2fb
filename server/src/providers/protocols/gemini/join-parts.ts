import type { FinishReason } from '#domain/inference/finish-reason.ts'
import type { Part } from '#domain/inference/parts.ts'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { UsageClasses } from '#domain/inference/usage.ts'

/** The whole answer from its parts, so that a document and a stream of the same answer can not differ. */
export function joinParts(streamParts: readonly StreamPart[]): CanonicalReply {
  const choices = new Map<number, Choice>()
  let usage: UsageClasses | null = null
  for (const part of streamParts) {
    if (part.kind === 'usage-counted') usage = part.usage
    if (!('choice' in part)) continue
    const choice = choices.get(part.choice) ?? { parts: [], finishReason: null, nativeFinishReason: null }
    choices.set(part.choice, choice)
    if (part.kind === 'finished') {
      choice.finishReason = part.reason
      choice.nativeFinishReason = part.native
    } else addPart(choice.parts, part)
  }
  const ordered = [...choices].toSorted(([left], [right]) => left - right)
  return { choices: ordered.map(([, choice]) => choice), usage }
}

interface Choice {
  parts: Part[]
  finishReason: FinishReason | null
  nativeFinishReason: string | null
}

function addPart(parts: Part[], added: StreamPart): void {
  const last = parts.at(-1)
  switch (added.kind) {
    case 'text-added':
      if (last?.kind === 'text') parts[parts.length - 1] = { ...last, text: last.text + added.text }
      else parts.push({ kind: 'text', text: added.text })
      return
    case 'reasoning-added':
      if (last?.kind === 'reasoning' && last.signature === undefined) {
        parts[parts.length - 1] = { ...last, text: last.text + added.text }
      } else parts.push({ kind: 'reasoning', text: added.text, isSummary: true, format: 'google' })
      return
    case 'reasoning-signed':
      if (last?.kind === 'reasoning' && last.signature === undefined) {
        parts[parts.length - 1] = { ...last, signature: added.signature }
      } else parts.push({ kind: 'reasoning', text: '', signature: added.signature, format: 'google' })
      return
    case 'tool-call-started': {
      const { id, name, signature } = added
      parts.push({ kind: 'tool-call', id, name, argumentsJson: '', ...(signature === undefined ? {} : { signature }) })
      return
    }
    case 'tool-call-added':
      if (last?.kind === 'tool-call')
        parts[parts.length - 1] = { ...last, argumentsJson: last.argumentsJson + added.json }
      return
    case 'image-added':
      parts.push({ kind: 'image', source: { kind: 'data', mediaType: added.mediaType, base64: added.base64 } })
      return
    case 'opaque-added':
      parts.push(added.part)
      return
    default:
      return
  }
}
