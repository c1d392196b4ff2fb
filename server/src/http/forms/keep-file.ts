import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FormFile } from '#domain/media/media-file.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { sniffAudio } from '#lib/sniff-audio.ts'
import { sniffImage } from '#lib/sniff-media.ts'
import { bufferBytes } from './limited-body.ts'

interface FilePart {
  readonly field: string
  /** The sender's file name. */
  readonly name: string | undefined
  readonly stream: Readable
}

/** Streams a file of a form to disk, under a name of ours. */
export async function keepFile(
  { field, name, stream }: FilePart,
  options: { folder: string; bytesMax: number; signal: AbortSignal },
): Promise<FormFile> {
  const path = join(options.folder, randomUUID())
  const gauge = new Gauge(options.bytesMax)
  const onDisk = createWriteStream(path, { mode: 0o600, flags: 'wx', highWaterMark: bufferBytes })
  await pipeline(stream, gauge, onDisk, { signal: options.signal })
  return {
    field,
    name: tidyName(name ?? ''),
    mediaType: sniffImage(gauge.head) ?? sniffAudio(gauge.head) ?? 'application/octet-stream',
    head: gauge.head,
    byteCount: gauge.byteCount,
    content: { kind: 'disk', path },
  }
}

const nameMax = 200

// The name is sent to upstreams, so it is reduced to a safe file name.
function tidyName(name: string): string {
  return name
    .replaceAll(/[\p{Cc}/\\]/gu, '_')
    .slice(0, nameMax)
    .toWellFormed()
}

// Enough for the header of a recording and the chunks before its samples.
const headBytes = 4_096

/** Counts bytes and keeps the first ones, which identify the type. */
class Gauge extends Transform {
  byteCount = 0
  head: Buffer = Buffer.alloc(0)
  readonly #bytesMax: number

  constructor(bytesMax: number) {
    super({ highWaterMark: bufferBytes })
    this.#bytesMax = bytesMax
  }

  override _transform(bytes: Buffer, _encoding: string, done: (error?: Error | null, bytes?: Buffer) => void): void {
    if (this.byteCount < headBytes) this.head = Buffer.concat([this.head, bytes]).subarray(0, headBytes)
    this.byteCount += bytes.length
    if (this.byteCount <= this.#bytesMax) return done(null, bytes)
    const message = `A file can be at most ${Math.floor(this.#bytesMax / 1_048_576)} MB.`
    done(new GatewayError('imageTooLarge', { message }))
  }
}
