import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { FormFile } from '#domain/media/media-file.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { sniffBytes, sniffImage } from '#lib/sniff-media.ts'
import type { FormLimits } from './form-limits.ts'

export interface ReceivedForm {
  readonly fields: JsonObject
  readonly files: readonly FormFile[]
  readonly byteCount: number
  /** Removes the files. */
  discard(): Promise<void>
}

const fieldsMax = 64
const fieldBytesMax = 1_048_576
const partsMax = 128

/** Reads a form to its end, files to disk as they come: never more of one in memory than a socket's read. */
export async function receiveForm(request: IncomingMessage, limits: FormLimits): Promise<ReceivedForm> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-form-'))
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    return { ...(await readForm(request, limits, folder)), discard }
  } catch (error) {
    await discard()
    throw error
  }
}

async function readForm(
  request: IncomingMessage,
  limits: FormLimits,
  folder: string,
): Promise<Omit<ReceivedForm, 'discard'>> {
  const fields: JsonObject = {}
  const files: Promise<FormFile>[] = []
  const parser = openParser(request, limits)
  const refuse = (error: GatewayError): void => {
    parser.destroy(error)
  }
  parser.on('field', (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut) return refuse(malformed('A field of the form is too long.'))
    if (name !== '__proto__') fields[name] = name in fields ? listWith(fields[name], value) : value
  })
  parser.on('file', (field, stream, name) => {
    if (!limits.fileFields.includes(field)) {
      stream.resume()
      return refuse(malformed(`\`${field}\` is not a field for files.`))
    }
    const file = keepFile({ field, name, stream, folder, bytesMax: limits.fileBytesMax })
    // Its failure is heard of below; until then it must not count as unhandled.
    file.catch(refuse)
    files.push(file)
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () => refuse(malformed('The form has too many parts.')))
  }
  const counter = new ByteCounter(limits.bodyBytesMax)
  await pipeline(request, counter, parser).catch((error: unknown) => {
    throw error instanceof GatewayError ? error : malformed('The form could not be read.', error)
  })
  return { fields, files: await Promise.all(files), byteCount: counter.byteCount }
}

function openParser(request: IncomingMessage, limits: FormLimits): BusboyInstance {
  const contentType = request.headers['content-type'] ?? ''
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType } satisfies BusboyHeaders,
      limits: {
        fieldNameSize: 200,
        fieldSize: fieldBytesMax,
        fields: fieldsMax,
        // One more than there may be, so that the one too many is seen.
        fileSize: limits.fileBytesMax + 1,
        parts: partsMax,
        headerPairs: 32,
        headerSize: 16_384,
      },
    })
  } catch (error) {
    throw malformed('The form has no usable boundary.', error)
  }
}

/** A field that is sent several times is a list. */
function listWith(before: JsonObject[string], value: string): string[] {
  return [...(Array.isArray(before) ? before.filter((each) => typeof each === 'string') : [String(before)]), value]
}

async function keepFile(part: {
  field: string
  name: string
  stream: BusboyFileStream
  folder: string
  bytesMax: number
}): Promise<FormFile> {
  const path = join(part.folder, randomUUID())
  const head = new HeadKeeper()
  await pipeline(part.stream, head, createWriteStream(path, { mode: 0o600 }))
  if (head.byteCount > part.bytesMax) {
    throw new GatewayError('imageTooLarge', {
      message: `A file may have at most ${Math.floor(part.bytesMax / 1_048_576)} MB.`,
    })
  }
  return {
    field: part.field,
    name: part.name,
    mediaType: sniffImage(head.head) ?? 'application/octet-stream',
    byteCount: head.byteCount,
    content: { kind: 'disk', path },
  }
}

class ByteCounter extends Transform {
  byteCount = 0
  readonly #bytesMax: number

  constructor(bytesMax: number) {
    super()
    this.#bytesMax = bytesMax
  }

  override _transform(bytes: Buffer, _encoding: string, done: (error?: Error | null, bytes?: Buffer) => void): void {
    this.byteCount += bytes.length
    if (this.byteCount <= this.#bytesMax) return done(null, bytes)
    done(new GatewayError('bodyTooLarge', { message: 'The body is too large.' }))
  }
}

class HeadKeeper extends Transform {
  byteCount = 0
  head: Buffer = Buffer.alloc(0)

  override _transform(bytes: Buffer, _encoding: string, done: (error?: Error | null, bytes?: Buffer) => void): void {
    if (this.byteCount < sniffBytes) this.head = Buffer.concat([this.head, bytes]).subarray(0, sniffBytes)
    this.byteCount += bytes.length
    done(null, bytes)
  }
}

function malformed(message: string, cause?: unknown): GatewayError {
  return new GatewayError('malformedRequest', { message, cause })
}
