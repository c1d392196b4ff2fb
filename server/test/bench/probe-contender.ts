import { makeRequests } from './bench-requests.ts'
import type { RunningContender } from './contenders/contender.ts'
import type { Target } from './load.ts'
import { LoadConnection, type Outcome } from './load-connection.ts'
import { burstText, jsonText, type Mode } from './mock-answers.ts'

const streamTail = 'data: [DONE]\n\n'

// Bodies differ by a few digits from answer to answer; a missing event is longer than this.
const slackBytes = 64

/**
 * Looks at one answer of each kind in full before anything is counted: under load only status, length and end are looked at,
 * and this says what they should be.
 */
export async function probeContender(running: RunningContender): Promise<{ json: Target; burst: Target }> {
  const json = await probe(running, 'json')
  if (!json.body.includes(jsonText)) throw new Error(`an answer with other words: ${json.body}`)
  const burst = await probe(running, 'burst')
  const text = readStreamText(burst.body)
  if (text !== burstText) throw new Error(`a stream with other words: ${burst.body}`)
  if (!/"completion_tokens": ?\d/.test(burst.body)) throw new Error(`a stream without usage: ${burst.body}`)
  if (!burst.body.endsWith(streamTail)) throw new Error(`a stream without its end: ${burst.body.slice(-400)}`)
  return {
    json: { port: running.port, requests: json.requests, bodyBytesMin: json.body.length - slackBytes, tail: '}' },
    burst: {
      port: running.port,
      requests: burst.requests,
      bodyBytesMin: burst.body.length - slackBytes,
      tail: streamTail,
    },
  }
}

async function probe(running: RunningContender, mode: Mode): Promise<{ requests: Buffer[]; body: string }> {
  const requests = makeRequests(running, mode)
  const [request] = requests
  if (request === undefined) throw new Error('a contender has at least one caller')
  const parts: Buffer[] = []
  // A copy, because the connection reads every part into the same buffer.
  const connection = new LoadConnection(running.port, (part) => parts.push(Buffer.from(part)))
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  connection.send(request, resolve)
  const outcome = await promise
  connection.close()
  if ('failure' in outcome) throw new Error(`no answer to a first request: ${outcome.failure}`)
  const body = Buffer.concat(parts).toString('utf8')
  if (outcome.answer.status !== 200) throw new Error(`a first request answered ${outcome.answer.status}: ${body}`)
  return { requests, body }
}

function readStreamText(body: string): string {
  return body
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => readDelta(JSON.parse(line.slice('data: '.length))))
    .join('')
}

function readDelta(chunk: { choices?: { delta?: { content?: string | null } }[] }): string {
  return chunk.choices?.[0]?.delta?.content ?? ''
}
