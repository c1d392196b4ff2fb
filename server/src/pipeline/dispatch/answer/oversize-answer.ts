import type { AnswerFailure } from '../../types.ts'

export const oversizeAnswer: AnswerFailure = {
  kind: 'oversize',
  message: 'The upstream sent an answer that is too large.',
}
