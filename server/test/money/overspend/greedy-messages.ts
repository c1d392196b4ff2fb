import type { ServerResponse } from 'node:http'
import type { JsonObject } from '#lib/json.ts'
import { type Greed, type Portion, tokensPerWrite } from './greed.ts'
import { writeFrames } from './write-frames.ts'

/** Responds like Anthropic. */
export async function answerMessage(response: ServerResponse, greed: Greed, portion: Portion): Promise<void> {
  if (portion.isStream) return stream(response, greed, portion)
  const { made } = portion
  const content =
    greed.shows === 'as-arguments'
      ? [{ ...toolBlock, input: { text: 'word '.repeat(made) } }]
      : [{ type: 'text', text: 'word' }]
  const usage = greed.tellsUsage === 'never' ? {} : { usage: usageOf(greed, portion, made) }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ...message, content, stop_reason: 'max_tokens', stop_sequence: null, ...usage }))
}

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' }
const toolBlock = { type: 'tool_use', id: 'toolu_1', name: 'f' }

function usageOf(greed: Greed, { searches }: Portion, output: number): JsonObject {
  const { prompt = 10, promptCountsAs, countsAs, tokensPerSearch = 0 } = greed
  const details = countsAs === 'reasoning_tokens' ? { output_tokens_details: { thinking_tokens: output } } : {}
  const tools = searches === 0 ? {} : { server_tool_use: { web_search_requests: searches, web_fetch_requests: 0 } }
  const read = prompt + searches * tokensPerSearch
  return { ...promptUsage(read, promptCountsAs), output_tokens: output, ...details, ...tools }
}

/** Cache writes count with the longest lifetime, which is the most expensive. */
function promptUsage(prompt: number, countsAs: string | undefined): JsonObject {
  switch (countsAs) {
    case 'cache_write_tokens':
      return {
        input_tokens: 0,
        cache_creation_input_tokens: prompt,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: prompt },
      }
    case 'cached_tokens':
      return { input_tokens: 0, cache_read_input_tokens: prompt }
    default:
      return { input_tokens: prompt }
  }
}

async function stream(response: ServerResponse, greed: Greed, portion: Portion): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  await writeFrames(response, framesOf(greed, portion))
  if (response.destroyed) return
  if (greed.breaksOff === true) return void response.destroy()
  const delta = { stop_reason: 'max_tokens', stop_sequence: null }
  const usage = greed.tellsUsage === 'never' ? {} : { usage: usageOf(greed, portion, portion.made) }
  response.end(
    event('content_block_stop', { index: 0 }) + event('message_delta', { delta, ...usage }) + event('message_stop', {}),
  )
}

function* framesOf(greed: Greed, portion: Portion): Generator<string> {
  const { shows = 'as-made' } = greed
  const { made } = portion
  const usage = greed.tellsUsage === 'never' ? {} : { usage: usageOf(greed, portion, 1) }
  yield event('message_start', { message: { ...message, content: [], stop_reason: null, ...usage } })
  const block = shows === 'as-arguments' ? { ...toolBlock, input: {} } : { type: 'text', text: '' }
  yield event('content_block_start', { index: 0, content_block: block })
  if (shows === 'nothing') return yield textFrame('word ')
  if (shows === 'at-once') return yield textFrame('word '.repeat(made))
  const token = shows === 'as-made' ? textFrame('word ') : argumentsFrame('word ')
  for (let done = 0; done < made; done += tokensPerWrite) {
    const some = Math.min(tokensPerWrite, made - done)
    const grown = { delta: {}, usage: usageOf(greed, portion, done + some) }
    yield token.repeat(some) + (greed.tellsUsage === 'growing' ? event('message_delta', grown) : '')
  }
}

function textFrame(text: string): string {
  return event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
}

function argumentsFrame(json: string): string {
  return event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: json } })
}

function event(type: string, fields: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}
