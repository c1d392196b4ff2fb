import { Transform } from 'node:stream'
import { bufferBytes } from './limited-body.ts'

const dash = 45

/**
 * Counts the parts of a form as its bytes pass, because the parser does not report skipped parts. Bytes after the end
 * of the form are dropped, because the parser would look for parts in them.
 */
export class PartCounter extends Transform {
  partCount = 0
  readonly #delimiter: Buffer
  /** A possible beginning of a delimiter. The first delimiter needs no preceding line break. */
  #rest: Buffer = Buffer.from('\r\n')
  #isClosed = false

  constructor(boundary: string) {
    super({ highWaterMark: bufferBytes })
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  override _transform(bytes: Buffer, _encoding: string, done: (error?: Error | null, bytes?: Buffer) => void): void {
    if (this.#isClosed) return done()
    const before = this.#rest.length
    done(null, bytes.subarray(0, this.#count(Buffer.concat([this.#rest, bytes])) - before))
  }

  /** Returns the end of the form in these bytes, or their end. */
  #count(bytes: Buffer): number {
    const { length } = this.#delimiter
    let from = 0
    for (let at = bytes.indexOf(this.#delimiter); at !== -1; at = bytes.indexOf(this.#delimiter, from)) {
      const end = at + length
      // Two dashes after the delimiter close the form, which is known only when two more bytes have arrived.
      if (bytes.length < end + 2) {
        this.#rest = bytes.subarray(at)
        return bytes.length
      }
      this.#isClosed = bytes[end] === dash && bytes[end + 1] === dash
      if (this.#isClosed) return end + 2
      this.partCount += 1
      from = end
    }
    this.#rest = bytes.subarray(Math.max(from, bytes.length - length + 1))
    return bytes.length
  }
}
