import type { ReplyContext } from '#dialects/dialect.ts'
import type { ResponseState } from './response-object.ts'

/**
 * Passes on the items of a response that later requests may reference. A failed or blocked response passes on nothing.
 */
export function noteOutput(
  { noteOutput: note }: Pick<ReplyContext, 'noteOutput'>,
  { status, incompleteReason, output }: Pick<ResponseState, 'status' | 'incompleteReason' | 'output'>,
): void {
  if (note === undefined) return
  const isWhole = status === 'completed' || (status === 'incomplete' && incompleteReason !== 'content_filter')
  if (isWhole) note(output)
}
