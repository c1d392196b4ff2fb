/** The bytes of an answer that is only useful whole. */
export class WholeBody {
  readonly #bytesMax: number
  #pieces: Buffer[] = []
  #byteCount = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get isEmpty(): boolean {
    return this.#byteCount === 0
  }

  /** False once there are more than may be. */
  add(bytes: Buffer): boolean {
    this.#byteCount += bytes.length
    if (this.#byteCount > this.#bytesMax) return false
    this.#pieces.push(bytes)
    return true
  }

  /** All of them, which are then let go. */
  take(): Buffer {
    const [only] = this.#pieces
    const bytes = this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces)
    this.#pieces = []
    return bytes
  }
}
