import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'

/** How a greedy upstream behaves: it makes all that it may, and counts it in the dearest way it can. */
export interface Greed {
  /** Tokens that each choice would have without a cap. */
  readonly wants: number
  /** Counts in the details of the completion, as a share of it: `reasoning_tokens`, `audio_tokens`. */
  readonly countsAs?: string
  /** What it counts for the prompt, and in which of its details. */
  readonly prompt?: number
  readonly promptCountsAs?: string
  /** Words are shown as they are made (the default), in one frame at the end, or not at all. */
  readonly shows?: 'as-made' | 'at-once' | 'nothing'
  /** Makes what it wants though it was told less. */
  readonly ignoresCap?: boolean
  readonly status?: number
}

export interface GreedyUpstream {
  readonly url: string
  readonly caps: (number | null)[]
  play(greed: Greed): void
  close(): Promise<void>
}

/** An OpenAI-compatible upstream that keeps to the cap it is told, and takes every nano-dollar within it. */
export async function startGreedyUpstream(): Promise<GreedyUpstream> {
  let greed: Greed = { wants: 10 }
  const caps: (number | null)[] = []
  const server = createServer((request, response) => {
    void serve(request, response, greed, caps)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caps,
    play: (next) => {
      greed = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  greed: Greed,
  caps: (number | null)[],
): Promise<void> {
  let text = ''
  for await (const piece of request) text += String(piece)
  const body = parseJsonObject(text) ?? {}
  const cap = [body.max_tokens, body.max_completion_tokens].find((each) => typeof each === 'number') ?? null
  caps.push(cap)
  if (greed.status !== undefined) {
    response.writeHead(greed.status, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')
    return
  }
  const made = greed.ignoresCap === true || cap === null ? greed.wants : Math.min(greed.wants, cap)
  const choices = typeof body.n === 'number' ? body.n : 1
  const usage = usageOf(greed, made * choices)
  if (body.stream === true) await stream(response, greed, { made, choices, usage })
  else {
    const message = { role: 'assistant', content: 'word' }
    const list = Array.from({ length: choices }, (_, index) => ({ index, message, finish_reason: 'length' }))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: list, usage }))
  }
}

function usageOf({ prompt = 10, countsAs, promptCountsAs }: Greed, completion: number): JsonObject {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(countsAs === undefined ? {} : { completion_tokens_details: { [countsAs]: completion } }),
    ...(promptCountsAs === undefined ? {} : { prompt_tokens_details: { [promptCountsAs]: prompt } }),
  }
}

const tokensPerWrite = 100

async function stream(
  response: ServerResponse,
  { shows = 'as-made' }: Greed,
  { made, choices, usage }: { made: number; choices: number; usage: JsonObject },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(frame([choiceOf({ role: 'assistant', content: 'word ' }, null)]))
  const total = made * choices
  if (shows === 'at-once') response.write(frame([choiceOf({ content: 'word '.repeat(total) }, null)]))
  if (shows === 'as-made') await showWords(response, total)
  if (response.destroyed) return
  for (let index = 0; index < choices; index += 1) response.write(frame([choiceOf({}, 'length', index)]))
  response.end(`${frame([], { usage })}data: [DONE]\n\n`)
}

async function showWords(response: ServerResponse, total: number): Promise<void> {
  const word = frame([choiceOf({ content: 'word ' }, null)])
  for (let done = 0; done < total && !response.destroyed; done += tokensPerWrite) {
    const isTaken = response.write(word.repeat(Math.min(tokensPerWrite, total - done)))
    // A turn for everybody else, so that holds can grow as they would with a slow upstream.
    if (isTaken) await new Promise((resolve) => setImmediate(resolve))
    else await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
}

function choiceOf(delta: JsonObject, finish: string | null, index = 0): JsonObject {
  return { index, delta, finish_reason: finish }
}

function frame(choices: JsonObject[], rest: JsonObject = {}): string {
  const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...rest }
  return `data: ${JSON.stringify(chunk)}\n\n`
}
