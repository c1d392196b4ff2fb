import type { FormFile } from '#domain/media/media-file.ts'
import { wavOf } from '#domain/media/wav-of.ts'

const samplesPerSecond = 8_000

/** A second of silence: the smallest recording that every provider accepts. */
export const silence: FormFile = recording(wavOf(Buffer.alloc(samplesPerSecond * 2), samplesPerSecond))

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
