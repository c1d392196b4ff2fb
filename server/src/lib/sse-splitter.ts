/**
 * Splits the bytes of an event stream into the payloads of its events. Bytes may be cut anywhere, lines may end in LF or
 * CRLF, comments and other fields are passed over, and a last event without its blank line still counts.
 */
export interface SseSplitter {
  push(bytes: Buffer): void
  end(): void
  /** Nothing is kept of an event whose end has not come yet. */
  readonly isBetweenEvents: boolean
}

export interface SseSplitterOptions {
  /** The joined `data:` lines of one event. The bytes are only lent: copy what must outlive the call. */
  onEvent: (payload: Buffer) => void
  /** An unfinished event larger than this ends the splitting. */
  eventBytesMax: number
  onOversize: () => void
}

const lineFeed = 10
const carriageReturn = 13
const space = 32
const dataField = Buffer.from('data:')
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

export function createSseSplitter(options: SseSplitterOptions): SseSplitter {
  let rest: Buffer | null = null
  let payload: Buffer | null = null
  let atStart = true
  let stopped = false

  function push(bytes: Buffer): void {
    if (stopped) return
    let buffer = rest === null ? bytes : Buffer.concat([rest, bytes])
    if (atStart) {
      // A byte order mark may itself arrive in pieces.
      if (buffer.length < byteOrderMark.length && byteOrderMark.subarray(0, buffer.length).equals(buffer)) {
        rest = buffer
        return
      }
      if (buffer.subarray(0, 3).equals(byteOrderMark)) buffer = buffer.subarray(3)
      atStart = false
    }
    let start = 0
    for (;;) {
      const end = buffer.indexOf(lineFeed, start)
      if (end === -1) break
      takeLine(buffer.subarray(start, end > start && buffer[end - 1] === carriageReturn ? end - 1 : end))
      start = end + 1
    }
    rest = start === buffer.length ? null : buffer.subarray(start)
    if ((rest?.length ?? 0) + (payload?.length ?? 0) > options.eventBytesMax) {
      stopped = true
      options.onOversize()
    }
  }

  function takeLine(line: Buffer): void {
    if (line.length === 0) {
      emit()
      return
    }
    if (line[0] !== dataField[0] || !line.subarray(0, 5).equals(dataField)) return
    const value = line.subarray(line[5] === space ? 6 : 5)
    payload = payload === null ? value : Buffer.concat([payload, Buffer.of(lineFeed), value])
  }

  function emit(): void {
    if (payload === null) return
    const complete = payload
    payload = null
    options.onEvent(complete)
  }

  function end(): void {
    if (stopped) return
    if (rest !== null) takeLine(rest.at(-1) === carriageReturn ? rest.subarray(0, -1) : rest)
    rest = null
    emit()
  }

  return {
    push,
    end,
    get isBetweenEvents() {
      return rest === null && payload === null && !atStart && !stopped
    },
  }
}
