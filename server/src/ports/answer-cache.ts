/** Answers that are kept for some minutes, so that whoever asks the same is told the same. All of it may be lost. */
export interface AnswerCache {
  find(question: string, nowMs: number): Promise<string | null>
  /** Of several answers to one question the first stays; whichever stays is answered. */
  keep(question: string, answer: string, nowMs: number): Promise<string>
}
