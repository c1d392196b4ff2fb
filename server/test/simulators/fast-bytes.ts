import type { FastScenario } from './scenario.ts'
import { vendorCompletion } from './scenarios/vendor-completion.ts'
import { vendorStream } from './scenarios/vendor-stream.ts'

/** The responses of a fast scenario as bytes: bodies for the HTTP writer, and whole messages for a bare socket. */
interface FastBytes {
  json: Buffer
  frames: Buffer[]
  jsonMessage: Buffer
  streamHead: Buffer
  /** The frames in chunked encoding, then the last chunk. */
  framedChunks: Buffer[]
  streamMessage: Buffer
}

const builtByScenario = new WeakMap<FastScenario, FastBytes>()

/** Builds once per scenario. */
export function fastBytes(scenario: FastScenario): FastBytes {
  const known = builtByScenario.get(scenario)
  if (known !== undefined) return known
  const built = build(scenario.chunks)
  builtByScenario.set(scenario, built)
  return built
}

/** Found by searching, because parsing the body would cost more than the response. */
export function asksForStream(body: Buffer | string): boolean {
  return body.includes('"stream":true') || body.includes('"stream": true')
}

export const fastStreamHeaders = { 'content-type': 'text/event-stream; charset=utf-8' }

function build(chunks: number): FastBytes {
  const pieces = Array.from({ length: chunks }, (_, position) => `word${position % 10} `)
  const stream = vendorStream('openai', { kind: 'text', pieces, usage: { prompt: 24, completion: chunks } })
  const answer = { kind: 'text', pieces: ['A steady answer.'], usage: { prompt: 24, completion: 4 } } as const
  const frames = writesOf(stream)
  const json = Buffer.concat(writesOf(vendorCompletion('openai', answer)))
  const streamHead = headOf(`content-type: ${fastStreamHeaders['content-type']}\r\ntransfer-encoding: chunked`)
  const framedChunks = [
    ...frames.map((frame) => Buffer.from(`${frame.length.toString(16)}\r\n${frame.toString()}\r\n`)),
    Buffer.from('0\r\n\r\n'),
  ]
  return {
    json,
    frames,
    jsonMessage: Buffer.concat([headOf(`content-type: application/json\r\ncontent-length: ${json.length}`), json]),
    streamHead,
    framedChunks,
    streamMessage: Buffer.concat([streamHead, ...framedChunks]),
  }
}

function writesOf({ steps }: ReturnType<typeof vendorStream>): Buffer[] {
  return steps.flatMap((step) => (step.do === 'write' ? [Buffer.from(step.text)] : []))
}

function headOf(headers: string): Buffer {
  return Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`)
}
