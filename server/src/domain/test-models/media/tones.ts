const samplesPerSecond = 16_000
const samplesPerWord = 2_400
const wordsMax = 400
const loudness = 6_000
// A pentatonic scale, so that any number of words sounds like a tune.
const hertz = [262, 294, 330, 392, 440] as const

/** A tone of 0.15 s per word, as WAV or raw samples: 16 bits, 16 kHz, mono. */
export function tones(words: number, format: 'wav' | 'pcm'): Buffer {
  const count = Math.min(Math.max(1, words), wordsMax) * samplesPerWord
  const samples = Buffer.alloc(count * 2)
  for (let at = 0; at < count; at += 1) {
    const pitch = hertz[Math.floor(at / samplesPerWord) % hertz.length] ?? hertz[0]
    const fade = 1 - (at % samplesPerWord) / samplesPerWord
    const swing = Math.sin((2 * Math.PI * pitch * at) / samplesPerSecond)
    samples.writeInt16LE(Math.round(loudness * fade * swing), at * 2)
  }
  return format === 'pcm' ? samples : Buffer.concat([wavHead(samples.length), samples])
}

function wavHead(byteCount: number): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + byteCount, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(samplesPerSecond, 24)
  head.writeUInt32LE(samplesPerSecond * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(byteCount, 40)
  return head
}
