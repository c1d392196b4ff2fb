import type { FormFile, MediaFile } from '#domain/media/media-file.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { sniffAudio } from '#lib/sniff-audio.ts'
import { missingField } from '../media-fields.ts'

interface SentAudio {
  readonly file: MediaFile
  readonly head: Buffer
}

/** The one recording of a request: the file of a form, or base64 in JSON. Only its type is inspected. */
export function readAudio(body: JsonObject, files: readonly FormFile[]): SentAudio {
  const [file, second] = files
  if (second !== undefined) throw malformed('Send exactly one `file`.')
  const sent = file === undefined ? readBase64(body.input_audio) : { file, head: file.head }
  if (sent.file.byteCount === 0) throw malformed('The audio is empty.')
  return { ...sent, file: withExtension(sent.file) }
}

function readBase64(audio: JsonObject[string]): SentAudio {
  if (audio === undefined || audio === null) {
    throw missingField(
      'file',
      ' Send it as multipart/form-data, or send JSON with `input_audio.data` and `input_audio.format`.',
    )
  }
  const { data, format } = isJsonObject(audio) ? audio : {}
  if (typeof data !== 'string' || typeof format !== 'string' || !formatForm.test(format)) {
    throw malformed('`input_audio` must have `data` (base64) and `format`, such as "wav" or "mp3".')
  }
  if (!base64Form.test(data)) throw malformed('`input_audio.data` must be raw base64, without a data URI prefix.')
  const bytes = Buffer.from(data, 'base64')
  const mediaType = sniffAudio(bytes) ?? 'application/octet-stream'
  const file: MediaFile = {
    name: `audio.${format}`,
    mediaType,
    byteCount: bytes.length,
    content: { kind: 'memory', bytes },
  }
  return { file, head: bytes }
}

const formatForm = /^[a-z0-9]{1,8}$/i
const base64Form = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * Providers identify the format by the file extension: the one that matches the bytes, or the sender's if the bytes are
 * not recognized.
 */
function withExtension(file: MediaFile): MediaFile {
  const known = extensions.get(file.mediaType)
  if (known === undefined) return { ...file, name: file.name === '' ? 'audio' : file.name }
  const dot = file.name.lastIndexOf('.')
  const stem = dot === -1 ? file.name : file.name.slice(0, dot)
  const extension = file.name.slice(stem.length + 1)
  if (known.includes(extension.toLowerCase())) return file
  return { ...file, name: `${stem === '' ? 'audio' : stem}.${known[0]}` }
}

const extensions: ReadonlyMap<string, readonly string[]> = new Map([
  ['audio/wav', ['wav']],
  ['audio/mpeg', ['mp3', 'mpga', 'mpeg']],
  ['audio/ogg', ['ogg', 'oga', 'opus']],
  ['audio/flac', ['flac']],
  ['audio/webm', ['webm']],
  ['audio/mp4', ['m4a', 'mp4']],
])
