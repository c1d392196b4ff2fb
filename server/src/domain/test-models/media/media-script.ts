import { byteCountOf, type BodyPiece } from '#domain/media/body-piece.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { unreachable } from '#lib/unreachable.ts'
import type { Script } from '../script.ts'
import { countWords, paragraph } from '../words.ts'
import { film, filmSeconds, filmSize } from './film.ts'
import { refuseLargeOrder } from './order-limits.ts'
import { picture } from './picture.ts'
import { tones } from './tones.ts'
import { scoresOf } from './scores-of.ts'
import { vectorsOf } from './vectors-of.ts'
import { verdictsOf } from './verdicts-of.ts'

interface MediaOrder {
  readonly path: string
  readonly body: string | readonly BodyPiece[]
}

/** The test models' responses to other requests than chat, by OpenAI's paths; undefined for other paths. */
export function mediaScriptFor({ path, body }: MediaOrder): Script | undefined {
  switch (path) {
    case '/images/generations':
    case '/images/edits':
    case '/embeddings':
    case '/rerank':
    case '/moderations':
    case '/audio/speech':
    case '/audio/transcriptions':
    case '/audio/translations':
      return answerTo(path, fieldsOf(body), body)
    case '/videos':
      return json({ id: 'film', status: 'queued' })
    case '/videos/film':
      return json({ id: 'film', status: 'completed', seconds: String(filmSeconds), size: filmSize })
    case '/videos/film/content':
      return answer('video/mp4', film())
    default:
      return undefined
  }
}

type OrderPath =
  | '/images/generations'
  | '/images/edits'
  | '/embeddings'
  | '/rerank'
  | '/moderations'
  | '/audio/speech'
  | '/audio/transcriptions'
  | '/audio/translations'

function answerTo(path: OrderPath, fields: JsonObject, body: MediaOrder['body']): Script {
  const refusal = refuseLargeOrder(path, fields)
  if (refusal !== null) return refused(refusal)
  switch (path) {
    case '/images/generations':
    case '/images/edits':
      return json(imagesFor(fields))
    case '/embeddings':
      return json(vectorsOf(fields))
    case '/rerank':
      return json(scoresOf(fields))
    case '/moderations':
      return json(verdictsOf(fields))
    case '/audio/speech':
      return speechFor(fields)
    case '/audio/transcriptions':
    case '/audio/translations':
      return json(transcriptFor(fields, body))
    default:
      return unreachable(path)
  }
}

function imagesFor(fields: JsonObject): JsonObject {
  const count = Math.min(Math.max(1, Math.trunc(Number(fields['n'] ?? 1)) || 1), 10)
  const [prompt, size] = [String(fields['prompt'] ?? ''), String(fields['size'] ?? '')]
  const images = Array.from({ length: count }, (_, at) => picture(`${prompt} ${at}`, size).toString('base64'))
  return { created: 0, data: images.map((image) => ({ b64_json: image })) }
}

function speechFor(fields: JsonObject): Script {
  const format = fields['response_format'] === 'pcm' ? 'pcm' : 'wav'
  return answer(`audio/${format}`, tones(countWords(String(fields['input'] ?? '')), format))
}

// Audio is assumed to have 16,000 bytes a second, like 8 kHz speech with 16 bits.
const bytesPerSecond = 16_000

function transcriptFor(fields: JsonObject, body: MediaOrder['body']): JsonObject {
  const pieces = typeof body === 'string' ? [] : body.filter((piece) => typeof piece !== 'string')
  const byteCount = pieces.reduce((sum, piece) => sum + byteCountOf(piece), 0)
  const seconds = Math.max(1, Math.ceil(byteCount / bytesPerSecond))
  const prompt = fields['prompt']
  const text = typeof prompt === 'string' && prompt !== '' ? prompt : paragraph
  const segments = [{ id: 0, start: 0, end: seconds, text }]
  return { text, language: 'english', duration: seconds, segments, usage: { type: 'duration', seconds } }
}

/** The members of a JSON body, or the text fields of a form. Files are not read. */
function fieldsOf(body: MediaOrder['body']): JsonObject {
  const text = typeof body === 'string' ? body : body.filter((piece) => typeof piece === 'string').join('')
  const members = parseJsonObject(text)
  if (members !== undefined) return members
  const fields = text.matchAll(/name="([^"]+)"\r\n\r\n([^\r]*)\r\n/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]))
}

function json(value: JsonObject): Script {
  return answer('application/json', JSON.stringify(value))
}

function refused(message: string): Script {
  return { ...json({ error: { message, type: 'invalid_request_error', param: null, code: null } }), status: 400 }
}

function answer(type: string, text: string | Buffer): Script {
  const steps = [{ kind: 'bytes', text, afterMs: 0 } as const, { kind: 'end' } as const]
  return { status: 200, headers: { 'content-type': type }, headersAfterMs: 0, steps }
}
