import type { FormFile } from '#domain/media/media-file.ts'

const samplesPerSecond = 8_000

/** A second of silence: the smallest recording that every host takes for one. */
export const silence: FormFile = recording(silentWave())

function recording(bytes: Buffer): FormFile {
  return {
    field: 'file',
    name: 'silence.wav',
    mediaType: 'audio/wav',
    byteCount: bytes.length,
    head: bytes.subarray(0, 64),
    content: { kind: 'memory', bytes },
  }
}

/** 16-bit samples of one channel, as WAVE writes them. */
function silentWave(): Buffer {
  const [headBytes, sampleBytes] = [44, 2]
  const dataBytes = samplesPerSecond * sampleBytes
  const wave = Buffer.alloc(headBytes + dataBytes)
  wave.write('RIFF', 0, 'latin1')
  wave.writeUInt32LE(headBytes - 8 + dataBytes, 4)
  wave.write('WAVEfmt ', 8, 'latin1')
  wave.writeUInt32LE(16, 16)
  wave.writeUInt16LE(1, 20)
  wave.writeUInt16LE(1, 22)
  wave.writeUInt32LE(samplesPerSecond, 24)
  wave.writeUInt32LE(samplesPerSecond * sampleBytes, 28)
  wave.writeUInt16LE(sampleBytes, 32)
  wave.writeUInt16LE(sampleBytes * 8, 34)
  wave.write('data', 36, 'latin1')
  wave.writeUInt32LE(dataBytes, 40)
  return wave
}
