import type { AnswerContext, VendorStyle } from '../vendors/vendor-style.ts'
import type { Answer } from './answer.ts'
import { usageOf } from './answer.ts'

/** Ids and times are constant, so that tests can compare whole answers. */
export function contextOf(style: VendorStyle, answer: Answer): AnswerContext {
  return {
    id: style.id,
    created: 1_790_000_000,
    model: answer.model ?? style.model,
    usage: usageOf(answer),
    includeUsage: answer.includeUsage ?? true,
    variant: answer.variant ?? null,
  }
}
