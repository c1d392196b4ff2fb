/**
 * Splits the bytes of an event stream into the payloads of its events. Bytes may be split anywhere, lines may end in LF
 * or CRLF, comments and other fields are ignored, and a last event without its blank line still counts.
 */
export interface SseSplitter {
  push(bytes: Buffer): void
  end(): void
  /** Whether no incomplete event is buffered. */
  readonly isBetweenEvents: boolean
}

interface SseSplitterOptions {
  /**
   * Receives the joined `data:` lines of one event. The buffer is reused: copy the bytes that must outlive the call.
   */
  onEvent: (payload: Buffer) => void
  /** Splitting stops at an unfinished event larger than this. */
  eventBytesMax: number
  onOversize: () => void
}

const lineFeed = 10
const lineEnd = Buffer.of(lineFeed)
const carriageReturn = 13
const space = 32
const dataField = Buffer.from('data:')
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

export function createSseSplitter(options: SseSplitterOptions): SseSplitter {
  /** Incomplete last line. */
  const rest = new GrowingBytes()
  /** The first `data:` line of an event. If there are more, all of them are in `joined`. */
  let first: Buffer | null = null
  const joined = new GrowingBytes()
  let atStart = true
  let stopped = false

  function push(bytes: Buffer): void {
    if (stopped) return
    let start = 0
    for (;;) {
      const end = bytes.indexOf(lineFeed, start)
      if (end === -1) break
      takeLine(bytes.subarray(start, end))
      start = end + 1
    }
    if (start < bytes.length) rest.append(bytes.subarray(start))
    if (rest.length + Math.max(first?.length ?? 0, joined.length) > options.eventBytesMax) {
      stopped = true
      options.onOversize()
    }
  }

  function takeLine(ending: Buffer): void {
    const line = contentOf(rest.takeWith(ending), atStart)
    atStart = false
    if (line.length === 0) {
      emit()
      return
    }
    if (line[0] !== dataField[0] || !line.subarray(0, 5).equals(dataField)) return
    takeValue(line.subarray(line[5] === space ? 6 : 5))
  }

  function takeValue(value: Buffer): void {
    if (first === null) {
      first = value
      return
    }
    if (joined.length === 0) joined.append(first)
    joined.append(lineEnd)
    joined.append(value)
  }

  function emit(): void {
    if (first === null) return
    const complete = joined.length === 0 ? first : joined.take()
    first = null
    options.onEvent(complete)
  }

  function end(): void {
    if (stopped) return
    if (rest.length > 0) takeLine(Buffer.alloc(0))
    emit()
  }

  return {
    push,
    end,
    get isBetweenEvents() {
      return rest.length === 0 && first === null && !atStart && !stopped
    },
  }
}

/** Without the byte order mark at the start of a stream, and without the line break. */
function contentOf(line: Buffer, isFirst: boolean): Buffer {
  const from = isFirst && line.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  return line.subarray(from, line.at(-1) === carriageReturn ? -1 : undefined)
}

/**
 * Bytes that arrive in chunks. The buffer doubles when it is full, so each byte is copied twice on average, however
 * small the chunks are.
 */
class GrowingBytes {
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

  /** The collected bytes and a last chunk, which is not copied if it is the only one. */
  takeWith(last: Buffer): Buffer {
    if (this.length === 0) return last
    this.append(last)
    return this.take()
  }

  /** Returns the collected bytes and clears the buffer. */
  take(): Buffer {
    const bytes = this.#room.subarray(0, this.length)
    this.#room = Buffer.alloc(0)
    this.length = 0
    return bytes
  }
}
