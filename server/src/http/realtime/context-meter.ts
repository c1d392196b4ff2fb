import type { JsonObject } from '#lib/json.ts'

/** Template text of the upstream and the frame of the conversation. */
const baseTokens = 512
/** The frame of an item that no event of the client has made. */
const itemTokens = 16

/**
 * The most tokens that a session can have put into its context: a token for each byte of every event, for each 50 ms of
 * audio, and for each token that the model has written. No tokenizer counts more. It never becomes smaller, although
 * upstreams forget old items.
 */
export class ContextMeter {
  #tokens = baseTokens
  #audioBytesPerToken: number

  constructor(session: JsonObject, audioBytesPerToken: number) {
    this.#audioBytesPerToken = audioBytesPerToken
    this.addEvent(session)
  }

  get tokensMax(): number {
    return this.#tokens
  }

  /** Keeps the densest format that was asked for, because the upstream may refuse to change it. */
  noteFormat(audioBytesPerToken: number): void {
    this.#audioBytesPerToken = Math.min(this.#audioBytesPerToken, audioBytesPerToken)
  }

  addEvent(event: JsonObject): void {
    this.#tokens += Buffer.byteLength(JSON.stringify(event))
  }

  addAudio(byteCount: number): void {
    this.#tokens += Math.ceil(byteCount / this.#audioBytesPerToken)
  }

  addItem(tokens = 0): void {
    this.#tokens += tokens + itemTokens
  }
}
