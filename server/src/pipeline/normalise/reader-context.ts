/** What a reader writes into every answer, whoever gave it. */
export interface ReaderContext {
  /** The public generation id. */
  readonly id: string
  readonly createdS: number
  readonly model: string
  /** The caller wants no reasoning text, though the model may reason. */
  readonly excludeReasoning: boolean
  readonly frameBytesMax: number
  readonly answerBytesMax: number
}
