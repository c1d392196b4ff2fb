import type { AnswerFailure } from '../../types.ts'

export const oversizeAnswer: AnswerFailure = {
  kind: 'oversize',
  message: 'The upstream response is too large.',
}
