/** Wraps 16-bit mono samples in a WAVE header. */
export function wavOf(samples: Buffer, samplesPerSecond: number): Buffer {
  const head = Buffer.alloc(headBytes)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(headBytes - 8 + samples.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(samplesPerSecond, 24)
  head.writeUInt32LE(samplesPerSecond * sampleBytes, 28)
  head.writeUInt16LE(sampleBytes, 32)
  head.writeUInt16LE(sampleBytes * 8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

const headBytes = 44
const sampleBytes = 2
