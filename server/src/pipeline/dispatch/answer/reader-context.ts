import type { ReplyContext } from '#dialects/dialect.ts'

/** What a reader writes into every answer, and how much it takes. */
export interface ReaderContext extends ReplyContext {
  readonly frameBytesMax: number
  readonly answerBytesMax: number
}
