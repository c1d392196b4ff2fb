import type { ConversationDialect, DialectCall } from '#dialects/dialect.ts'
import type { Part } from '#domain/inference/parts.ts'
import type { ImageTask, MediaInput } from '#domain/media/media-task.ts'

/** The image that a conversation asks for: its last message says what, and shows what to start from. */
export function imageTaskOf(dialect: ConversationDialect, call: DialectCall): ImageTask {
  const { turns, extras } = dialect.toCanonical(call)
  const parts = turns.findLast(({ role }) => role === 'user')?.parts ?? []
  return {
    kind: 'image',
    prompt: parts
      .map((part) => (part.kind === 'text' ? part.text : ''))
      .join('\n')
      .trim(),
    count: call.imageCount ?? 1,
    size: null,
    aspectRatio: null,
    quality: null,
    inputs: parts.flatMap(inputOf),
    extras,
  }
}

function inputOf(part: Part): MediaInput[] {
  return part.kind === 'image' ? [part.source] : []
}
