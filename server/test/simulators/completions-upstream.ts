import type { JsonObject } from '#lib/json.ts'
import type { MediaAnswer, MediaHandler } from './start-media-upstream.ts'

const usage = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 }
const head = { id: 'cmpl-1', created: 1_757_321_139, model: 'completer' }

/** Continues every prompt with ` a time`, through the API for completions and that for chat. */
export const completionsUpstream: MediaHandler = ({ path, json }) => {
  if (path.endsWith('/chat/completions')) return chat(json)
  if (path.endsWith('/completions')) return completion(json)
  return { status: 404, body: { error: { message: `no such endpoint: ${path}` } } }
}

function completion({ prompt, stream, logprobs }: JsonObject): MediaAnswer {
  const prompts = Array.isArray(prompt) ? prompt : [prompt]
  const probabilities = logprobs === undefined ? null : { tokens: [' a', ' time'] }
  const object = 'text_completion'
  if (stream !== true) {
    const choices = prompts.map((_, index) => {
      return { index, text: ' a time', logprobs: probabilities, finish_reason: 'length' }
    })
    return { body: { ...head, object, choices, usage } }
  }
  return events([
    { ...head, object, choices: [{ index: 0, text: ' a', logprobs: null, finish_reason: null }] },
    { ...head, object, choices: [{ index: 0, text: ' time', logprobs: null, finish_reason: 'length' }] },
    { ...head, object, choices: [], usage },
  ])
}

function chat({ stream }: JsonObject): MediaAnswer {
  if (stream !== true) {
    const choices = [{ index: 0, message: { role: 'assistant', content: ' a time' }, finish_reason: 'stop' }]
    return { body: { ...head, object: 'chat.completion', choices, usage } }
  }
  const object = 'chat.completion.chunk'
  return events([
    { ...head, object, choices: [{ index: 0, delta: { role: 'assistant', content: ' a' }, finish_reason: null }] },
    { ...head, object, choices: [{ index: 0, delta: { content: ' time' }, finish_reason: 'stop' }] },
    { ...head, object, choices: [], usage },
  ])
}

function events(chunks: readonly object[]): MediaAnswer {
  const frames = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
  return {
    headers: { 'content-type': 'text/event-stream' },
    body: frames.map((frame) => `data: ${frame}\n\n`).join(''),
  }
}
