/** Reads bytes of a file at a position; fewer at its end. */
type ReadAt = (position: number, length: number) => Promise<Buffer>

const headBytes = 16
const movieBytesMax = 8 * 1_024 * 1_024
const boxesMax = 10_000

/** The stated length of an MP4 or MOV file in milliseconds; null for other files. It reads only the file's index. */
export async function movieDuration(readAt: ReadAt): Promise<number | null> {
  for (let position = 0, count = 0; count < boxesMax; count += 1) {
    const box = boxAt(await readAt(position, headBytes), 0)
    if (box === null) return null
    if (box.type === 'moov') {
      const length = Math.min(movieBytesMax, box.size === 0 ? movieBytesMax : box.size)
      return headerIn((await readAt(position, length)).subarray(box.headLength))
    }
    // A box of size zero extends to the end of the file.
    if (box.size === 0) return null
    position += box.size
  }
  return null
}

interface Box {
  readonly type: string
  /** Includes the header; 0 means to the end of the file. */
  readonly size: number
  readonly headLength: number
}

function boxAt(bytes: Buffer, at: number): Box | null {
  if (bytes.length < at + 8) return null
  const type = bytes.toString('latin1', at + 4, at + 8)
  const size = bytes.readUInt32BE(at)
  if (size !== 1) return size === 0 || size >= 8 ? { type, size, headLength: 8 } : null
  if (bytes.length < at + 16) return null
  const large = Number(bytes.readBigUInt64BE(at + 8))
  return large >= 16 && Number.isSafeInteger(large) ? { type, size: large, headLength: 16 } : null
}

function headerIn(movie: Buffer): number | null {
  for (let at = 0; at < movie.length; ) {
    const box = boxAt(movie, at)
    if (box === null || box.size === 0) return null
    if (box.type === 'mvhd') return durationOf(movie.subarray(at + box.headLength, at + box.size))
    at += box.size
  }
  return null
}

/** Version 1 has 64-bit times. */
function durationOf(header: Buffer): number | null {
  const isLong = header[0] === 1
  if (header.length < (isLong ? 32 : 20)) return null
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const units = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  const durationMs = scale === 0 ? 0 : Math.ceil((units / scale) * 1_000)
  return durationMs > 0 && durationMs < durationMaxMs ? durationMs : null
}

// A day. Files that are longer, or of unknown length, state the largest possible number.
const durationMaxMs = 86_400_000
