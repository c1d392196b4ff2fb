import type { JsonObject } from '#lib/json.ts'
import { pngOf } from '#test/media/proxy/sample-images.ts'
import type { MediaAnswer, MediaCall, MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { madeAddress, playMade } from './made.ts'

export interface OpenAiImagesScript {
  /** A response instead of the images. */
  readonly refuse?: (call: MediaCall) => MediaAnswer | undefined
  readonly as?: 'base64' | 'address'
  /** The number of images, by default as requested. */
  readonly count?: number
  readonly usage?: JsonObject
}

/** gpt-image's usage for one image of medium quality. */
export const gptImageUsage: JsonObject = {
  input_tokens: 50,
  output_tokens: 1_056,
  total_tokens: 1_106,
  input_tokens_details: { text_tokens: 10, image_tokens: 40 },
}

/** OpenAI's two image endpoints and compatible upstreams; JSON and forms. */
export function playOpenAiImages(script: OpenAiImagesScript = {}): MediaHandler {
  return (call) => script.refuse?.(call) ?? playMade(call) ?? answerTo(call, script)
}

function answerTo(call: MediaCall, { as = 'base64', count = countIn(call), usage }: OpenAiImagesScript): MediaAnswer {
  const data = Array.from({ length: count }, (_, index) =>
    as === 'base64'
      ? { b64_json: pngOf({ width: 8 + index, height: 4 }).toString('base64') }
      : { url: madeAddress(call, `image-${index}`), revised_prompt: 'a fox, in detail' },
  )
  return { body: { created: 1_757_321_139, data, ...(usage === undefined ? {} : { usage }) } }
}

function countIn(call: MediaCall): number {
  const stated = call.json['n'] ?? call.json['batch_size'] ?? fieldsOf(call).get('n') ?? 1
  return Number(stated)
}

/** The strings of a received form, by name. */
export function fieldsOf(call: MediaCall): Map<string, string> {
  return new Map(
    partsOf(call).flatMap(({ name, filename, bytes }) => (filename === null ? [[name, String(bytes)]] : [])),
  )
}

interface SentFile {
  readonly name: string
  readonly filename: string | null
  readonly type: string | null
  readonly bytes: Buffer
}

/** The files of a form, in order. */
export function filesOf(call: MediaCall): SentFile[] {
  return partsOf(call).filter(({ filename }) => filename !== null)
}

function partsOf({ headers, bytes }: MediaCall): SentFile[] {
  const boundary = /boundary=(\S+)/.exec(headers['content-type'] ?? '')?.[1]
  if (boundary === undefined) return []
  // Latin-1 preserves every byte of a file.
  const sections = bytes.toString('latin1').split(`--${boundary}`).slice(1, -1)
  return sections.map((section) => {
    const end = section.indexOf('\r\n\r\n')
    const head = section.slice(0, end)
    return {
      name: /[; ]name="([^"]*)"/.exec(head)?.[1] ?? '',
      filename: /filename="([^"]*)"/.exec(head)?.[1] ?? null,
      type: /content-type: (\S+)/i.exec(head)?.[1] ?? null,
      bytes: Buffer.from(section.slice(end + 4, -2), 'latin1'),
    }
  })
}

export function openAiImageError(status: number, code: string, message: string): MediaAnswer {
  return { status, body: { error: { code, message, type: 'image_generation_user_error', param: null } } }
}
