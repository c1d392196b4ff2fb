/**
 * Reads the responses of one keep-alive connection, one after another, with as little work as possible.
 *
 * States: head → counted (content-length) or size → data → gap → size … → trailer → head.
 */
type State = 'head' | 'counted' | 'size' | 'data' | 'gap' | 'trailer'

export interface Answer {
  status: number
  bodyBytes: number
  /** The last bytes of the body, which show whether a stream is complete. */
  tail: string
  /** The peer will close the connection, so it must not be reused. */
  isLast: boolean
}

interface ReaderEvents {
  /** Receives body bytes as they arrive; set only if they are needed. */
  onBody?: (part: Buffer) => void
  onAnswer: (answer: Answer) => void
}

const tailBytes = 16
const contentLength = /\r\ncontent-length: *(\d+)/i
const chunked = /\r\ntransfer-encoding: *chunked/i
const closing = /\r\nconnection: *close/i

export class AnswerReader {
  readonly #events: ReaderEvents
  readonly #tail = Buffer.alloc(tailBytes)
  #state: State = 'head'
  #status = 0
  #isLast = false
  #bodyBytes = 0
  /** The remaining bytes of the counted body or of the current chunk. */
  #left = 0
  /** The start of an incomplete head or line. */
  #pending: Buffer | null = null

  constructor(events: ReaderEvents) {
    this.#events = events
  }

  /** The bytes are only read during the call, so the buffer can be reused. */
  feed(part: Buffer): void {
    let bytes = part
    if (this.#pending !== null) {
      bytes = Buffer.concat([this.#pending, part])
      this.#pending = null
    }
    let at = 0
    while (at < bytes.length) {
      const next = this.#step(bytes, at)
      if (next === -1) {
        this.#pending = Buffer.from(bytes.subarray(at))
        return
      }
      at = next
    }
  }

  /** Returns the next offset, or -1 when more bytes are needed. */
  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at)
      case 'counted':
      case 'data':
        return this.#readBody(bytes, at)
      case 'size':
        return this.#readSize(bytes, at)
      default:
        return this.#readLineEnd(bytes, at)
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const end = bytes.indexOf('\r\n\r\n', at, 'latin1')
    if (end === -1) return -1
    const head = bytes.toString('latin1', at, end)
    this.#status = Number(head.slice(9, 12))
    this.#isLast = closing.test(head)
    this.#bodyBytes = 0
    const length = contentLength.exec(head)?.[1]
    if (length === undefined && !chunked.test(head)) throw new Error(`an answer without framing: ${head}`)
    this.#left = Number(length ?? 0)
    this.#state = length === undefined ? 'size' : 'counted'
    if (length === '0') this.#finish()
    return end + 4
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left)
    this.#left -= end - at
    this.#bodyBytes += end - at
    if (end - at >= tailBytes) bytes.copy(this.#tail, 0, end - tailBytes, end)
    else {
      this.#tail.copyWithin(0, end - at)
      bytes.copy(this.#tail, tailBytes - (end - at), at, end)
    }
    this.#events.onBody?.(bytes.subarray(at, end))
    if (this.#left > 0) return end
    if (this.#state === 'counted') this.#finish()
    else this.#state = 'gap'
    return end
  }

  #readSize(bytes: Buffer, at: number): number {
    let size = 0
    for (let index = at; index < bytes.length; index += 1) {
      const byte = bytes[index] ?? 0
      if (byte === 0x0a) {
        this.#left = size
        this.#state = size === 0 ? 'trailer' : 'data'
        return index + 1
      }
      if (byte !== 0x0d) size = size * 16 + hexDigit(byte)
    }
    return -1
  }

  /** Used after each chunk and after the last one; trailers do not occur here. */
  #readLineEnd(bytes: Buffer, at: number): number {
    if (bytes.length < at + 2) return -1
    if (this.#state === 'trailer') this.#finish()
    else this.#state = 'size'
    return at + 2
  }

  #finish(): void {
    this.#state = 'head'
    this.#events.onAnswer({
      status: this.#status,
      bodyBytes: this.#bodyBytes,
      tail: this.#tail.toString('latin1', Math.max(0, tailBytes - this.#bodyBytes)),
      isLast: this.#isLast,
    })
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  if (lower >= 0x61 && lower <= 0x66) return lower - 0x57
  throw new Error(`not a chunk size: byte ${byte}`)
}
