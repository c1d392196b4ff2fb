import type { ServerResponse } from 'node:http'
import type { JsonObject } from '#lib/json.ts'
import { openAiAudioUpstream } from '#test/simulators/media/audio/openai-audio.ts'
import { openAiShaped } from '#test/simulators/media/embeddings/openai-shaped.ts'
import { playOpenAiImages } from '#test/simulators/media/images/openai-images.ts'
import type { MediaAnswer, MediaCall, MediaHandler } from '#test/simulators/start-media-upstream.ts'

/** The outcome; all but the first quote the prompt in their error, or have answered with some of it. */
export const fates = ['answered', 'rejected', 'failed', 'cut', 'failed-inside'] as const
type Fate = (typeof fates)[number]

/** An upstream of every kind in OpenAI's format that repeats the prompt in every response. */
export function repeatingUpstream(fate: Fate, words: string): MediaHandler {
  return (call, response) => {
    switch (fate) {
      case 'answered':
        return answer(call, response, words)
      case 'rejected':
        return errorOf(400, `Invalid value: '${words}' is not supported.`)
      case 'failed':
        return errorOf(500, `The server had an error while it read: ${words}`)
      case 'cut':
        return cut(call, response, words)
      case 'failed-inside':
        return call.json.stream === true ? failInside(response, words) : { body: errorBody(`Lost at ${words}`) }
    }
  }
}

function answer(call: MediaCall, response: ServerResponse, words: string): ReturnType<MediaHandler> {
  if (call.path.endsWith('/embeddings')) return openAiShaped()(call, response)
  if (call.path.includes('/images/')) return playOpenAiImages()(call, response)
  if (call.path.includes('/audio/')) return openAiAudioUpstream(call, response)
  if (call.json.stream !== true) return { body: completion({ message: { role: 'assistant', content: words } }) }
  const usage = { choices: [], usage: tokens }
  const frames = [...framesOf(words), `data: ${JSON.stringify(usage)}\n\n`, 'data: [DONE]\n\n']
  return { headers: { 'content-type': 'text/event-stream' }, body: frames.join('') }
}

const tokens = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }

function completion(choice: JsonObject): JsonObject {
  return { id: 'chatcmpl-1', model: 'm', choices: [{ index: 0, finish_reason: 'stop', ...choice }], usage: tokens }
}

function framesOf(words: string): string[] {
  return [frame({ role: 'assistant', content: words }, null), frame({}, 'stop')]
}

function frame(delta: JsonObject, finish_reason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason }]
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 'm', choices })}\n\n`
}

/** Sends half of a response and closes the connection. */
function cut(call: MediaCall, response: ServerResponse, words: string): undefined {
  const isStream = call.json.stream === true
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
  response.write(isStream ? framesOf(words)[0] : `{"choices":[{"message":{"content":"${words}`, () => {
    response.destroy()
  })
}

function failInside(response: ServerResponse, words: string): undefined {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`${framesOf(words)[0]}data: ${JSON.stringify(errorBody(`Lost at ${words}`))}\n\n`)
}

function errorOf(status: number, message: string): MediaAnswer {
  return { status, body: errorBody(message) }
}

function errorBody(message: string): JsonObject {
  return { error: { message, type: 'invalid_request_error', param: null, code: null } }
}
