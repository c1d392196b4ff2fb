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

  /** All that have come so far. They stay. */
  look(): Buffer {
    const [only] = this.#pieces
    const bytes = this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces)
    this.#pieces = [bytes]
    return bytes
  }

  /** All of them, which are then let go. */
  take(): Buffer {
    const bytes = this.look()
    this.letGo()
    return bytes
  }

  letGo(): void {
    this.#pieces = []
  }
}
