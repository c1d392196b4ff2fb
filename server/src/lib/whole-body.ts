/** The bytes of a response that is only useful as a whole. */
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

  /** Returns false once the limit is exceeded. */
  add(bytes: Buffer): boolean {
    this.#byteCount += bytes.length
    if (this.#byteCount > this.#bytesMax) return false
    this.#pieces.push(bytes)
    return true
  }

  /** All bytes so far. They stay in the buffer. */
  look(): Buffer {
    const [only] = this.#pieces
    const bytes = this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces)
    this.#pieces = [bytes]
    return bytes
  }

  /** Returns all bytes and releases them. */
  take(): Buffer {
    const bytes = this.look()
    this.letGo()
    return bytes
  }

  letGo(): void {
    this.#pieces = []
  }
}
