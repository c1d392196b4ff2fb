import type { ReplyContext } from '#dialects/dialect.ts'
import type { ResponseState } from './response-object.ts'

/** Hands on the items of an answer that later requests may refer to. Nothing of a failed or blocked answer is kept. */
export function noteOutput(
  { noteOutput: note }: Pick<ReplyContext, 'noteOutput'>,
  { status, incompleteReason, output }: Pick<ResponseState, 'status' | 'incompleteReason' | 'output'>,
): void {
  if (note === undefined) return
  const isWhole = status === 'completed' || (status === 'incomplete' && incompleteReason !== 'content_filter')
  if (isWhole) note(output)
}
