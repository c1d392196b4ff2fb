import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/json.ts'
import { streamedErrorJson } from './openrouter-error.ts'

/** How the bytes of an answer differ at a mount. */
export interface AnswerShape {
  document(body: string): string
  frames(text: string, answer: () => StreamedAnswer): string
}

/** The members that every chunk of one stream repeats. */
export interface StreamedAnswer {
  readonly id: string
  readonly createdS: number
  readonly model: string
}

/** OpenRouter's chat completions: a fingerprint is never missing, and an error in a stream is a last chunk. */
export const openRouterChat: AnswerShape = {
  document: (body) => {
    const completion = parseJsonObject(body)
    return completion === undefined ? body : JSON.stringify({ system_fingerprint: null, ...completion })
  },
  frames: (text, answer) =>
    text.includes(errorStart) ? text.replace(errorFrame, (_frame, json: string) => chunkOf(json, answer())) : text,
}

// JSON has no raw line breaks, so only a frame's own start matches.
const errorStart = 'data: {"error":'
const errorFrame = /(?<=^|\n\n)data: (\{"error":[^\n]*)/g

function chunkOf(json: string, { id, createdS, model }: StreamedAnswer): string {
  const { error } = parseJsonObject(json) ?? {}
  const chunk: JsonObject = {
    id,
    object: 'chat.completion.chunk',
    created: createdS,
    model,
    choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
    error: streamedErrorJson(isJsonObject(error) ? error : {}),
  }
  return `data: ${JSON.stringify(chunk)}`
}
