import type { ServerResponse } from 'node:http'
import type { JsonObject } from '#lib/json.ts'
import { type Greed, type Portion, tokensPerWrite } from './greed.ts'
import { writeFrames } from './write-frames.ts'

/** Responds like OpenAI. */
export async function answerChat(response: ServerResponse, greed: Greed, portion: Portion): Promise<void> {
  if (portion.isStream) await stream(response, greed, portion)
  else {
    const { made, choices } = portion
    const message = greed.shows === 'as-arguments' ? callMessage(made) : { role: 'assistant', content: 'word' }
    const list = Array.from({ length: choices }, (_, index) => ({ index, message, finish_reason: 'length' }))
    const usage = greed.tellsUsage === 'never' ? {} : { usage: usageOf(greed, portion, made * choices) }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: list, ...usage }),
    )
  }
}

function callMessage(tokens: number): JsonObject {
  const written = { name: 'f', arguments: JSON.stringify({ text: 'word '.repeat(tokens) }) }
  return { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: written }] }
}

function usageOf(greed: Greed, { searches }: Portion, completion: number): JsonObject {
  const { prompt = 10, countsAs, promptCountsAs, tokensPerSearch = 0 } = greed
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(countsAs === undefined ? {} : { completion_tokens_details: { [countsAs]: completion } }),
    ...(promptCountsAs === undefined ? {} : { prompt_tokens_details: { [promptCountsAs]: prompt } }),
    ...(searches === 0 ? {} : { num_search_queries: searches, citation_tokens: searches * tokensPerSearch }),
  }
}

async function stream(response: ServerResponse, greed: Greed, portion: Portion): Promise<void> {
  const { made, choices } = portion
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  await writeFrames(response, framesOf(greed, portion))
  await greed.endGate?.opened
  if (response.destroyed) return
  if (greed.breaksOff === true) return void response.destroy()
  for (let index = 0; index < choices; index += 1) response.write(frame([choiceOf({}, 'length', index)]))
  const usage = greed.tellsUsage === 'never' ? '' : frame([], { usage: usageOf(greed, portion, made * choices) })
  response.end(`${usage}data: [DONE]\n\n`)
}

function* framesOf(greed: Greed, portion: Portion): Generator<string> {
  const { shows = 'as-made' } = greed
  const total = portion.made * portion.choices
  yield frame([choiceOf({ role: 'assistant', content: 'word ' }, null)])
  if (shows === 'nothing') return
  if (shows === 'at-once') return yield frame([choiceOf({ content: 'word '.repeat(total) }, null)])
  if (shows === 'as-arguments')
    yield callFrame({ id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } })
  const token =
    shows === 'as-made'
      ? frame([choiceOf({ content: 'word ' }, null)])
      : callFrame({ function: { arguments: 'word ' } })
  for (let done = 0; done < total; done += tokensPerWrite) {
    const some = Math.min(tokensPerWrite, total - done)
    const usage = greed.tellsUsage === 'growing' ? frame([], { usage: usageOf(greed, portion, done + some) }) : ''
    yield token.repeat(some) + usage
  }
}

function callFrame(call: JsonObject): string {
  return frame([choiceOf({ tool_calls: [{ index: 0, ...call }] }, null)])
}

function choiceOf(delta: JsonObject, finish: string | null, index = 0): JsonObject {
  return { index, delta, finish_reason: finish }
}

function frame(choices: JsonObject[], rest: JsonObject = {}): string {
  const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...rest }
  return `data: ${JSON.stringify(chunk)}\n\n`
}
