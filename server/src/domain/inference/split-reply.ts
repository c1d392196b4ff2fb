import type { Part } from './parts.ts'
import type { CanonicalReply } from './reply.ts'
import type { StreamPart } from './stream-part.ts'

/** Splits a complete response into stream parts. */
export function splitReply(reply: CanonicalReply): StreamPart[] {
  const parts: StreamPart[] = []
  for (const [choice, { parts: said, finishReason, nativeFinishReason, stopSequence }] of reply.choices.entries()) {
    let toolIndex = 0
    for (const part of said) {
      parts.push(...streamed(part, choice, toolIndex))
      if (part.kind === 'tool-call') toolIndex += 1
    }
    if (finishReason !== null) {
      const stopped = stopSequence === undefined ? {} : { stopSequence }
      parts.push({ kind: 'finished', choice, reason: finishReason, native: nativeFinishReason, ...stopped })
    }
  }
  if (reply.usage !== null) parts.push({ kind: 'usage-counted', usage: reply.usage, isFinal: true })
  parts.push({ kind: 'ended' })
  return parts
}

function streamed(part: Part, choice: number, index: number): StreamPart[] {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [{ kind: 'text-added', choice, text: part.text }]
    case 'refusal':
      return [{ kind: 'refusal-added', choice, text: part.text }]
    case 'reasoning':
      return streamedReasoning(part, choice)
    case 'tool-call': {
      const { id, name, signature, argumentsJson } = part
      const signed = signature === undefined ? {} : { signature }
      return [
        { kind: 'tool-call-started', choice, index, id, name, ...signed },
        { kind: 'tool-call-added', choice, index, json: argumentsJson },
      ]
    }
    case 'image':
      return [{ kind: 'image-added', choice, source: part.source }]
    case 'opaque':
      return [{ kind: 'opaque-added', choice, part }]
    // Assistants do not output files or audio as parts.
    case 'file':
    case 'audio':
    case 'video':
    case 'tool-result':
      return []
  }
}

function streamedReasoning(part: Extract<Part, { kind: 'reasoning' }>, choice: number): StreamPart[] {
  const { text, format, isSummary, signature, encrypted, id } = part
  const named = id === undefined ? {} : { id }
  const parts: StreamPart[] = []
  if (text !== '') {
    parts.push({
      kind: 'reasoning-added',
      choice,
      text,
      format,
      ...named,
      ...(isSummary === undefined ? {} : { isSummary }),
    })
  }
  if (signature !== undefined) parts.push({ kind: 'reasoning-signed', choice, signature, format })
  if (encrypted !== undefined) parts.push({ kind: 'reasoning-encrypted', choice, data: encrypted, format, ...named })
  return parts
}
