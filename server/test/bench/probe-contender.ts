import { makeRequests } from './bench-requests.ts'
import type { RunningContender } from './contenders/contender.ts'
import type { Target } from './load.ts'
import { LoadConnection, type Outcome } from './load-connection.ts'
import { burst as openAiBurst, jsonText, longBurst, type Mode } from './mock-answers.ts'
import { streamForms } from './stream-forms.ts'

// Bodies differ by a few digits between responses; a missing event is longer than this.
const slackBytes = 64

/**
 * Checks one response of each kind in full before anything is counted: under load only status, length and end are
 * checked, and this defines them.
 */
export async function probeContender(running: RunningContender): Promise<{ json: Target; burst: Target }> {
  const { requests, body } = await probe(running, 'json')
  if (!body.includes(jsonText)) throw new Error(`an answer with other words: ${body}`)
  const json = { port: running.port, requests, bodyBytesMin: body.length - slackBytes, tail: '}' }
  return { json, burst: await probeBurst(running) }
}

/** The same for a stream only. */
export function probeBurst(running: RunningContender): Promise<Target> {
  return probeStream(running, 'burst', running.burst ?? openAiBurst)
}

/** The same for a stream of a thousand chunks. */
export function probeLong(running: RunningContender): Promise<Target> {
  return probeStream(running, 'long', longBurst)
}

async function probeStream(
  running: RunningContender,
  mode: Mode,
  burst: { text: string; outputTokens: number },
): Promise<Target> {
  const { dialect = 'chat', port } = running
  const { tail, read } = streamForms[dialect]
  const { requests, body } = await probe(running, mode)
  const heard = read(body)
  if (heard.text !== burst.text) throw new Error(`a stream with other words: ${body}`)
  if (heard.outputTokens !== burst.outputTokens) throw new Error(`a stream with other usage: ${body}`)
  if (heard.finish === null) throw new Error(`a stream without a finish reason: ${body}`)
  if (!body.endsWith(tail)) throw new Error(`a stream without its end: ${body.slice(-400)}`)
  return { port, requests, bodyBytesMin: body.length - slackBytes, tail }
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
