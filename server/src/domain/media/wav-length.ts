/**
 * How long a WAV file lasts, by its header, in milliseconds; null where the header is not to be believed or is not that
 * of plain samples. Only a header that agrees with itself counts: players work with the sample rate and width, so the
 * file is as long as those say for all bytes behind the header, whatever size it states.
 */
export function wavLengthMs(head: Buffer, byteCount: number): number | null {
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') return null
  let bytesPerSecond: number | null = null
  // Every chunk moves on by eight bytes at the least, so this ends.
  for (let at = 12; at + 8 <= head.length; ) {
    const name = head.toString('latin1', at, at + 4)
    const size = head.readUInt32LE(at + 4)
    const start = at + 8
    if (name === 'data') return bytesPerSecond === null ? null : lengthMs(byteCount - start, bytesPerSecond)
    if (name === 'fmt ') {
      // With two formats, it is unknown which of them a player takes.
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
