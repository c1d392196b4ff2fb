import { GatewayError } from '#errors/gateway-error.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { isJsonObject, parseJsonObject, stringAt } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Answers, AnswerProgress } from '#ports/answers.ts'
import type { AnswerHead, Arrival, Reply } from '../types.ts'

export interface FollowDeps {
  readonly answers: Pick<Answers, 'read'>
  readonly find: (id: Uuid) => Promise<AnswerProgress | null>
  readonly wait: (ms: number) => Promise<void>
}

interface Follower {
  readonly arrival: Arrival
  /** Of this request: its own id and rate limits. */
  readonly replyHeaders: Readonly<Record<string, string>>
  readonly isStream: boolean
}

// Short beside the time to a first token, and one row per answer and process.
const pollMs = 50

/**
 * Sends a stored answer, while it is written or afterwards. Returns null if it will not be finished and nothing was
 * sent, so that the request can be claimed again.
 */
export async function follow(deps: FollowDeps, id: Uuid, follower: Follower): Promise<Reply | null> {
  const { connection } = follower.arrival
  const sent: SentAnswer = { head: null, parts: [], chunks: 0 }
  for (;;) {
    if (connection.gone) return handled
    const progress = await deps.find(id)
    if (progress === null || progress.isAbandoned) return giveUp(follower)
    if (!progress.isKept && progress.state === 'settled') {
      if (connection.streaming) return giveUp(follower)
      throw notStored()
    }
    const isWhole = progress.state === 'settled'
    if (isWhole || follower.isStream) {
      // The last chunk shows the cost, so it waits for the settle.
      const ready = progress.state === 'written' ? progress.chunks - 1 : progress.chunks
      await sendChunks(deps, progress, { ready, sent, follower })
    }
    if (isWhole && failpointsArmed) await failpoint('mid-replay')
    if (isWhole) return finish(sent, follower)
    await deps.wait(pollMs)
  }
}

interface SentAnswer {
  head: AnswerHead | null
  readonly parts: Buffer[]
  chunks: number
}

async function sendChunks(
  { answers }: FollowDeps,
  progress: AnswerProgress,
  { ready, sent, follower }: { ready: number; sent: SentAnswer; follower: Follower },
): Promise<void> {
  const { connection } = follower.arrival
  for (; sent.chunks < ready && !connection.gone; sent.chunks += 1) {
    const chunk = await answers.read(progress, sent.chunks)
    if (chunk === null) throw notStored()
    const bytes = sent.chunks === 0 ? withoutHead(sent, chunk) : chunk
    if (!follower.isStream) {
      sent.parts.push(bytes)
      continue
    }
    if (sent.head !== null) connection.startStream(headersOf(sent.head, follower), sent.head.contentType)
    if (bytes.length > 0 && !connection.write(bytes)) await drained(follower.arrival)
  }
}

function drained({ connection }: Arrival): Promise<void> {
  return new Promise((resolve) => {
    connection.onDrain(resolve)
    connection.onGone(resolve)
  })
}

function withoutHead(sent: SentAnswer, chunk: Buffer): Buffer {
  const end = chunk.indexOf('\n')
  sent.head = parseHead(chunk.toString('utf8', 0, end))
  return chunk.subarray(end + 1)
}

function parseHead(text: string): AnswerHead {
  const head = parseJsonObject(text) ?? {}
  const headers = isJsonObject(head.headers) ? head.headers : {}
  return {
    status: Number(head.status),
    contentType: stringAt(head, 'contentType') ?? '',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  }
}

/** The headers of the first answer; the request id and the rate limits are those of this request. */
function headersOf({ headers }: AnswerHead, { replyHeaders }: Follower): Record<string, string> {
  const generationId = headers['x-generation-id']
  return {
    ...headers,
    ...replyHeaders,
    ...(generationId === undefined ? {} : { 'x-generation-id': generationId }),
    'x-weir-replayed': 'true',
  }
}

function finish({ head, parts }: SentAnswer, follower: Follower): Reply {
  const { connection } = follower.arrival
  if (head === null) throw notStored()
  if (follower.isStream) {
    if (!connection.gone) connection.end()
    return handled
  }
  const { status, contentType } = head
  const body = Buffer.concat(parts).toString('utf8')
  return { kind: 'document', headers: headersOf(head, follower), body, contentType, status }
}

/** A client that has part of an unfinished answer must not take it as complete. */
function giveUp({ arrival: { connection } }: Follower): Reply | null {
  if (!connection.streaming) return null
  connection.drop()
  return handled
}

const handled: Reply = { kind: 'handled' }

function notStored(): GatewayError {
  return new GatewayError('answerNotStored', {
    message:
      'This request was answered and charged once, but its answer could not be stored. Send a new Idempotency-Key to run it again.',
  })
}
