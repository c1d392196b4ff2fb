import { crc32 } from 'node:zlib'

/**
 * Splits the bytes of an AWS event stream into frames, wherever the chunks end. A frame has two lengths and their
 * checksum, headers, a payload, and a checksum of everything before it:
 *
 *     total u32 | headers u32 | crc u32 | headers … | payload … | crc u32
 *
 * Bytes with a wrong checksum end the splitting, since nothing after them can be trusted.
 */
interface FrameSplitter {
  push(bytes: Buffer): void
  /** Whether no incomplete frame is buffered. */
  readonly isBetweenFrames: boolean
}

export interface Frame {
  /** Only string headers. Headers of other types do not identify a frame. */
  readonly headers: ReadonlyMap<string, string>
  readonly payload: Buffer
}

interface FrameSplitterOptions {
  onFrame: (frame: Frame) => void
  /** Called once, with the reason. */
  onBroken: (reason: string) => void
}

const preludeBytes = 12
const checksumBytes = 4
const headersBytesMax = 128 * 1_024
const payloadBytesMax = 24 * 1_024 * 1_024

export function createFrameSplitter({ onFrame, onBroken }: FrameSplitterOptions): FrameSplitter {
  // Kept separate until a whole frame has arrived, so that a large frame in many chunks is copied once.
  let pieces: Buffer[] = []
  let piecesBytes = 0
  let wantedBytes = preludeBytes
  let stopped = false

  function push(bytes: Buffer): void {
    if (stopped) return
    pieces.push(bytes)
    piecesBytes += bytes.length
    if (piecesBytes < wantedBytes) return
    const buffer = pieces.length === 1 ? bytes : Buffer.concat(pieces)
    const start = takeFrames(buffer)
    pieces = start === buffer.length || stopped ? [] : [buffer.subarray(start)]
    piecesBytes = buffer.length - start
  }

  /** Returns the start of the first incomplete frame. */
  function takeFrames(buffer: Buffer): number {
    let start = 0
    while (!stopped) {
      wantedBytes = preludeBytes
      if (buffer.length - start < wantedBytes) break
      const fault = preludeFault(buffer.subarray(start, start + preludeBytes))
      if (fault !== undefined) return stop(fault)
      wantedBytes = buffer.readUInt32BE(start)
      if (buffer.length - start < wantedBytes) break
      const frame = readFrame(buffer.subarray(start, start + wantedBytes))
      if (typeof frame === 'string') return stop(frame)
      onFrame(frame)
      start += wantedBytes
    }
    return start
  }

  function stop(reason: string): number {
    stopped = true
    onBroken(reason)
    return 0
  }

  return {
    push,
    get isBetweenFrames() {
      return piecesBytes === 0 && !stopped
    },
  }
}

/** The lengths are checked before the splitter waits for the data. */
function preludeFault(prelude: Buffer): string | undefined {
  if (crc32(prelude.subarray(0, 8)) !== prelude.readUInt32BE(8)) return 'frame prelude checksum mismatch'
  const payloadBytes = prelude.readUInt32BE(0) - prelude.readUInt32BE(4) - preludeBytes - checksumBytes
  if (payloadBytes < 0) return 'a frame is shorter than its headers'
  if (payloadBytes > payloadBytesMax || prelude.readUInt32BE(4) > headersBytesMax) return 'a frame is too large'
  return undefined
}

function readFrame(bytes: Buffer): Frame | string {
  const end = bytes.length - checksumBytes
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) return 'frame checksum mismatch'
  const headersEnd = preludeBytes + bytes.readUInt32BE(4)
  const headers = readHeaders(bytes.subarray(preludeBytes, headersEnd))
  return headers === undefined
    ? 'the frame headers are unreadable'
    : { headers, payload: bytes.subarray(headersEnd, end) }
}

/** Sizes by value type of a header: booleans, integers, a timestamp and a UUID. */
const fixedBytes: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 }
const bytesType = 6
const textType = 7

function readHeaders(bytes: Buffer): Map<string, string> | undefined {
  const headers = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at)
    if (nameEnd >= bytes.length) return undefined
    const name = bytes.toString('utf8', at + 1, nameEnd)
    const type = bytes.readUInt8(nameEnd)
    let valueStart = nameEnd + 1
    let valueBytes = fixedBytes[type]
    if (type === bytesType || type === textType) {
      if (valueStart + 2 > bytes.length) return undefined
      valueBytes = bytes.readUInt16BE(valueStart)
      valueStart += 2
    }
    if (valueBytes === undefined || valueStart + valueBytes > bytes.length) return undefined
    at = valueStart + valueBytes
    if (type === textType) headers.set(name, bytes.toString('utf8', valueStart, at))
  }
  return headers
}
