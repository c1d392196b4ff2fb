/**
 * The length of a WAV file in milliseconds, from its header; null if the header is inconsistent or not of plain
 * samples. Players use the sample rate and width, so the length follows from those and all bytes after the header,
 * whatever size the header states.
 */
export function wavLengthMs(head: Buffer, byteCount: number): number | null {
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') return null
  let bytesPerSecond: number | null = null
  // Every chunk advances by at least eight bytes, so this loop ends.
  for (let at = 12; at + 8 <= head.length; ) {
    const name = head.toString('latin1', at, at + 4)
    const size = head.readUInt32LE(at + 4)
    const start = at + 8
    if (name === 'data') return bytesPerSecond === null ? null : lengthMs(byteCount - start, bytesPerSecond)
    if (name === 'fmt ') {
      // If there are two format chunks, it is unknown which one a player uses.
      if (bytesPerSecond !== null || size < 16 || start + 16 > head.length) return null
      bytesPerSecond = readRate(head, start)
      if (bytesPerSecond === null) return null
    }
    at = start + size + (size % 2)
  }
  return null
}

/** Plain samples, floats, A-law, µ-law, and the extensible form of any of them. */
const plainFormats = new Set([1, 3, 6, 7, 0xfffe])
const channelsMax = 32
const sampleRateMax = 768_000

function readRate(head: Buffer, at: number): number | null {
  const channels = head.readUInt16LE(at + 2)
  const sampleRate = head.readUInt32LE(at + 4)
  const bytesPerSecond = head.readUInt32LE(at + 8)
  const bytesPerFrame = head.readUInt16LE(at + 12)
  const bitsPerSample = head.readUInt16LE(at + 14)
  const isPlausible =
    plainFormats.has(head.readUInt16LE(at)) &&
    channels >= 1 &&
    channels <= channelsMax &&
    sampleRate >= 1 &&
    sampleRate <= sampleRateMax &&
    bytesPerFrame === channels * Math.ceil(bitsPerSample / 8) &&
    bytesPerFrame > 0 &&
    bytesPerSecond === sampleRate * bytesPerFrame
  return isPlausible ? bytesPerSecond : null
}

function lengthMs(bytes: number, bytesPerSecond: number): number {
  return Math.ceil((Math.max(0, bytes) * 1_000) / bytesPerSecond)
}
