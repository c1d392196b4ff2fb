import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RecordedRequest } from './request-log.ts'
import type { FastScenario } from './scenario.ts'
import { vendorCompletion } from './scenarios/vendor-completion.ts'
import { vendorStream } from './scenarios/vendor-stream.ts'

/**
 * Answers with bytes built once per scenario, so that a load test measures the gateway and not its upstream.
 * Whether a stream is wanted is found by searching the raw body, because parsing it would cost more than the answer.
 */
export function answerFast(
  request: IncomingMessage | RecordedRequest,
  response: ServerResponse,
  scenario: FastScenario,
): void {
  const prebuilt = prebuiltFor(scenario)
  if ('rawBody' in request) {
    answer(response, scenario, prebuilt, request.rawBody)
    return
  }
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const [first] = parts
    answer(response, scenario, prebuilt, parts.length === 1 && first !== undefined ? first : Buffer.concat(parts))
  })
}

interface Prebuilt {
  json: Buffer
  jsonHeaders: string[]
  frames: Buffer[]
  allFrames: Buffer
}

const prebuiltByScenario = new WeakMap<FastScenario, Prebuilt>()

function prebuiltFor(scenario: FastScenario): Prebuilt {
  const known = prebuiltByScenario.get(scenario)
  if (known !== undefined) return known
  const usage = { prompt: 24, completion: scenario.chunks }
  const pieces = Array.from({ length: scenario.chunks }, (_, position) => `word${position % 10} `)
  const stream = vendorStream('openai', { kind: 'text', pieces, usage })
  const frames = stream.steps.flatMap((step) => (step.do === 'write' ? [Buffer.from(step.text)] : []))
  const json = bodyOfCompletion()
  const jsonHeaders = ['content-type', 'application/json', 'content-length', String(json.length)]
  const built = { json, jsonHeaders, frames, allFrames: Buffer.concat(frames) }
  prebuiltByScenario.set(scenario, built)
  return built
}

function bodyOfCompletion(): Buffer {
  const answer = { kind: 'text', pieces: ['A steady answer.'], usage: { prompt: 24, completion: 4 } } as const
  const { steps } = vendorCompletion('openai', answer)
  return Buffer.from(steps.flatMap((step) => (step.do === 'write' ? [step.text] : [])).join(''))
}

const streamHeaders = ['content-type', 'text/event-stream; charset=utf-8']

function answer(
  response: ServerResponse,
  { firstByteDelayMs = 0, chunkDelayMs = 0 }: FastScenario,
  prebuilt: Prebuilt,
  body: string | Buffer,
): void {
  const isStream = body.includes('"stream":true') || body.includes('"stream": true')
  const send = () => {
    if (!isStream) response.writeHead(200, prebuilt.jsonHeaders).end(prebuilt.json)
    else if (chunkDelayMs === 0) response.writeHead(200, streamHeaders).end(prebuilt.allFrames)
    else drip(response.writeHead(200, streamHeaders), prebuilt.frames, chunkDelayMs)
  }
  if (firstByteDelayMs === 0) send()
  else setTimeout(send, firstByteDelayMs)
}

function drip(response: ServerResponse, frames: Buffer[], chunkDelayMs: number): void {
  let position = 0
  const timer = setInterval(() => {
    const frame = frames[position]
    position += 1
    if (frame === undefined || response.destroyed) {
      clearInterval(timer)
      response.end()
    } else {
      response.write(frame)
    }
  }, chunkDelayMs)
}
