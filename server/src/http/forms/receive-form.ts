import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { FormFile } from '#domain/media/media-file.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { FormLimits } from './form-limits.ts'
import { keepFile } from './keep-file.ts'
import { bufferBytes, type LimitedBody } from './limited-body.ts'
import { PartCounter } from './part-counter.ts'

export interface ReceivedForm {
  readonly fields: JsonObject
  readonly files: readonly FormFile[]
}

const fieldsMax = 64
const partsMax = 128
const fieldBytesMax = 1_048_576

/** Reads a form to its end and streams files to disk, with at most a few socket reads of each in memory. */
export async function receiveForm(
  body: LimitedBody,
  { boundary, limits, folder }: { boundary: string; limits: FormLimits; folder: string },
): Promise<ReceivedForm> {
  const fields = new FormFields()
  const files: Promise<FormFile>[] = []
  const stop = new AbortController()
  const counter = new PartCounter(boundary)
  const parser = openParser(boundary, limits)
  let heardCount = 0
  const refuse = (error: Error): void => {
    stop.abort(error)
    parser.destroy(error)
  }
  parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
    heardCount += 1
    const problem = valueCut ? 'A form field is too long.' : fields.add(name, value)
    if (problem !== null) refuse(malformed(problem))
  })
  parser.on('file', (field: string | undefined, stream, name: string | undefined) => {
    heardCount += 1
    // The parser also ends an unfinished file that is no longer stored.
    stream.on('error', () => {})
    const problem =
      field === undefined || !limits.fileFields.includes(field) ? unexpected(field) : fields.addFile(field)
    if (field === undefined || problem !== null) {
      stream.resume()
      return refuse(malformed(problem ?? 'A form part has no name.'))
    }
    const kept = { folder, bytesMax: limits.fileBytesMax, signal: stop.signal }
    const file = keepFile({ field, name, stream }, kept)
    // The failure is handled below; until then it must not count as unhandled.
    file.catch(refuse)
    files.push(file)
  })
  for (const limit of ['partsLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () => refuse(malformed('The form has too many parts.')))
  }
  let isDone = false
  parser.once('prefinish', async () => {
    await Promise.allSettled(files)
    await nextTurn()
    // The parser has all bytes and no file is open. Either it has finished, or it waits forever for a part whose
    // headers were cut off.
    if (!isDone) refuse(incomplete())
  })
  try {
    await pipeline(body, counter, parser)
    if (heardCount !== counter.partCount) throw incomplete()
    return { fields: fields.all, files: (await Promise.all(files)).filter(isChosen) }
  } catch (error) {
    throw asRefusal(error)
  } finally {
    isDone = true
    stop.abort()
    // No file may be written after the folder is deleted.
    await Promise.allSettled(files)
  }
}

function openParser(boundary: string, limits: FormLimits): BusboyInstance {
  return new Busboy({
    highWaterMark: bufferBytes,
    fileHwm: bufferBytes,
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    isPartAFile: (field, type, fileName) =>
      fileName !== undefined || (type !== 'text/plain' && limits.fileFields.includes(field ?? '')),
    limits: {
      fieldSize: fieldBytesMax,
      fields: fieldsMax,
      parts: partsMax,
      headerPairs: 32,
      headerSize: 16_384,
    },
  })
}

/** A browser sends a file without name and content for an empty file input. */
function isChosen({ name, byteCount }: FormFile): boolean {
  return name !== '' || byteCount > 0
}

function unexpected(field: string | undefined): string {
  return field === undefined ? 'A form part has no name.' : `\`${field.slice(0, 100)}\` does not accept files.`
}

/** Disk errors and bugs are ours; everything else is an error in the form. */
function asRefusal(error: unknown): unknown {
  if (error instanceof GatewayError || error instanceof TypeError || error instanceof ReferenceError) return error
  if (!(error instanceof Error) || !('syscall' in error)) return malformed('The form could not be parsed.', error)
  const message = 'The upload could not be stored. Retry shortly.'
  return new GatewayError('overloaded', { message, inside: error.message, retryAfterS: 10, cause: error })
}

function incomplete(): GatewayError {
  return malformed('Each form part must have complete headers and a name.')
}

const nameMax = 200
const charactersMax = 1_048_576

/** The text fields of a form. A repeated field becomes an array. */
class FormFields {
  readonly all: JsonObject = {}
  readonly #files = new Set<string>()
  #characters = 0

  /** Returns the error, or null if the field was accepted. */
  add(name: string | undefined, value: string): string | null {
    if (name === undefined) return 'A form part has no name.'
    if (name.length > nameMax) return 'A form field name is too long.'
    this.#characters += name.length + value.length
    if (this.#characters > charactersMax) return 'The form fields are too long in total.'
    if (this.#files.has(name)) return bothKinds(name)
    if (name === '__proto__') return null
    const before = Object.hasOwn(this.all, name) ? this.all[name] : undefined
    this.all[name] = before === undefined ? value : listWith(before, value)
    return null
  }

  addFile(name: string): string | null {
    this.#files.add(name)
    return Object.hasOwn(this.all, name) ? bothKinds(name) : null
  }
}

function listWith(before: JsonObject[string], value: string): string[] {
  return [...(Array.isArray(before) ? before.filter((each) => typeof each === 'string') : [String(before)]), value]
}

function bothKinds(name: string): string {
  return `\`${name}\` was sent both as text and as a file. Send only one.`
}
