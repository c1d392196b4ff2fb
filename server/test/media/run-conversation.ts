import { readFile } from 'node:fs/promises'
import type { BodyPiece } from '#domain/media/body-piece.ts'
import type { MediaFile } from '#domain/media/media-file.ts'
import type { ExchangeScript, Exchange, MediaRequest, Step, StepOutcome } from '#providers/codecs/exchange-script.ts'

export interface Conversed<Result> {
  readonly result: Result
  /** The pauses between the requests; the test does not wait for them. */
  readonly pausesMs: readonly number[]
  /** The image URLs that the conversation fetched. */
  readonly fetched: readonly string[]
}

export interface ConversationWorld {
  /** The content of an image URL. */
  readonly imageAt?: (url: string) => MediaFile
  /** Authorizes a built request, for providers that want it signed. */
  readonly authorize?: (request: MediaRequest) => Promise<MediaRequest>
  /** Called for every pause instead of waiting. */
  readonly onPause?: (ms: number) => void
}

/** Runs a conversation over HTTP. */
export async function runConversation<Result>(
  conversation: ExchangeScript<Result>,
  { imageAt = noImage, onPause, authorize = asBuilt }: ConversationWorld = {},
): Promise<Conversed<Result>> {
  const pausesMs: number[] = []
  const fetched: string[] = []
  const perform = async (step: Step): Promise<StepOutcome> => {
    if (step.kind === 'send') return exchange(await authorize(step.request))
    if (step.kind === 'fetch-image') {
      fetched.push(step.url)
      return imageAt(step.url)
    }
    pausesMs.push(step.ms)
    onPause?.(step.ms)
    return undefined
  }
  for (let next = conversation.next(); ; ) {
    if (next.done === true) return { result: next.value, pausesMs, fetched }
    next = conversation.next(await perform(next.value))
  }
}

async function exchange({ method = 'POST', origin, path, headers, body }: MediaRequest): Promise<Exchange> {
  const response = await fetch(origin + path, {
    method,
    headers: { ...headers },
    redirect: 'manual',
    ...(method === 'GET' ? {} : { body: await bytesOf(body) }),
  })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  }
}

async function bytesOf(body: MediaRequest['body']): Promise<Buffer<ArrayBuffer>> {
  const pieces = typeof body === 'string' ? [body] : body
  return Buffer.concat(await Promise.all(pieces.map(bytesOfPiece)))
}

async function bytesOfPiece(piece: BodyPiece): Promise<Buffer> {
  if (typeof piece === 'string') return Buffer.from(piece)
  if (Buffer.isBuffer(piece)) return piece
  const { content } = piece.file
  const bytes = content.kind === 'memory' ? content.bytes : await readFile(content.path)
  return piece.as === 'bytes' ? bytes : Buffer.from(bytes.toString('base64'))
}

function asBuilt(request: MediaRequest): Promise<MediaRequest> {
  return Promise.resolve(request)
}

function noImage(url: string): never {
  throw new Error(`nobody was to fetch ${url}`)
}
