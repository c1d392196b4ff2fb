/** Bytes that come in pieces. Its room doubles when it is full, so each byte is copied twice on average, however small pieces are. */
export class GrowingBytes {
  length = 0
  #room: Buffer = Buffer.alloc(0)

  append(piece: Buffer): void {
    const length = this.length + piece.length
    if (length > this.#room.length) {
      const room = Buffer.allocUnsafe(2 * length)
      this.#room.copy(room, 0, 0, this.length)
      this.#room = room
    }
    piece.copy(this.#room, this.length)
    this.length = length
  }

  /** The same with a last piece, which is not copied where it is the only one. */
  takeWith(last: Buffer): Buffer {
    if (this.length === 0) return last
    this.append(last)
    return this.take()
  }

  /** Hands over what has come, and begins anew. */
  take(): Buffer {
    const bytes = this.#room.subarray(0, this.length)
    this.#room = Buffer.alloc(0)
    this.length = 0
    return bytes
  }
}
