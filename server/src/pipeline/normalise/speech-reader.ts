import { noUsage } from '#domain/inference/usage.ts'
import type { AnswerListener, AnswerReader } from '../types.ts'

/**
 * Passes speech on as it comes. It is charged by the characters of its text, once all of it is here; so the last piece waits for
 * the settle, and whoever leaves before has not had the whole.
 */
export class SpeechReader implements AnswerReader {
  readonly outputTokensEstimate = 0
  readonly finalAnswer = null
  readonly #contentType: string
  readonly #characters: number
  readonly #listener: AnswerListener
  #last: Buffer | null = null

  constructor(speech: { contentType: string; characters: number }, listener: AnswerListener) {
    this.#contentType = speech.contentType
    this.#characters = speech.characters
    this.#listener = listener
  }

  data(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (this.#last === null) this.#listener.opened(this.#contentType)
    else this.#listener.bytes(this.#last)
    this.#last = bytes
  }

  end(): void {
    const last = this.#last
    if (last === null) return this.#listener.unusable({ kind: 'empty', message: 'The upstream sent no audio.' })
    const usage = { ...noUsage, media: { inputCharacters: this.#characters } }
    this.#listener.done({ usage, finishReason: null, nativeFinishReason: null }, () => last)
  }

  /** Audio has no place for words. */
  fail(): null {
    return null
  }
}
