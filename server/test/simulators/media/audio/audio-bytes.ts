/** A WAV file of silence with 16-bit samples. */
export function silence(seconds: number, rate = 16_000): Buffer {
  const samples = Math.round(seconds * rate) * 2
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples)])
}

/** Bytes that no text encoding preserves, with the start of an MP3. */
export function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at += 1) bytes[at] = (at * 167 + (at >> 8)) & 0xff
  bytes.write('ID3', 0, 'latin1')
  return bytes
}
