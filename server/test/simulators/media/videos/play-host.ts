import type { ServerResponse } from 'node:http'
import type { MediaAnswer, MediaCall } from '#test/simulators/start-media-upstream.ts'
import { type OrderBook, type PlayedOrder, stageOf } from './order-book.ts'
import { serveMovie } from './serve-movie.ts'
import type { ShownOrder, VideoRequest, VideoShape } from './video-shape.ts'
import type { VideoScript } from './video-upstream.ts'

interface PlayDeps {
  readonly shape: VideoShape
  readonly book: OrderBook
  readonly key: string
  readonly movie: () => Buffer
  /** The address of the upstream. */
  readonly origin: () => string
}

/** Responds like a host, by the scripts of its orders; returns nothing if the connection was dropped. */
export async function playHost(
  call: MediaCall,
  response: ServerResponse,
  deps: PlayDeps,
): Promise<MediaAnswer | undefined> {
  const { shape, key } = deps
  const link = publicLink.exec(call.path)
  // Public links need no key.
  if (link !== null) return fileOf(call, link[1] ?? '', Number(link[2]), deps)
  if (!shape.isAuthorized(call, key)) return shape.refused('unauthorized')
  const request = await shape.recognise(call)
  switch (request?.kind) {
    case undefined:
      return shape.refused('missing')
    case 'submit':
      return submit(request, call, response, deps)
    case 'poll':
      return poll(request.id, response, deps)
    case 'result':
      return resultOf(request.id, deps)
    case 'file': {
      const { id, index } = request
      if (shape.filesLeadElsewhere !== true) return fileOf(call, id, index, deps)
      return { status: 302, headers: { location: linkTo(id, index, deps) } }
    }
  }
}

const publicLink = /^\/made\/([\w-]+)\/(\d+)\.mp4/

function linkTo(id: string, index: number, { origin }: PlayDeps): string {
  return `${origin()}/made/${id}/${index}.mp4`
}

function submit(
  { name, prompt }: Extract<VideoRequest, { kind: 'submit' }>,
  call: MediaCall,
  response: ServerResponse,
  deps: PlayDeps,
): MediaAnswer | undefined {
  const { book, shape } = deps
  const script = book.nextScript()
  const { submit: play } = script
  if (play === 'dropped') return drop(response)
  if (play === 'failing' || play === 'limited' || play === 'invalid') return shape.refused(play)
  const order = book.take({ name, prompt, path: call.path, body: call.json }, script)
  return deliver(shape.accepted(shown(order, deps)), play, response)
}

function poll(id: string, response: ServerResponse, deps: PlayDeps): MediaAnswer | undefined {
  const { book, shape } = deps
  const order = book.find(id)
  if (order === undefined) return shape.refused('missing')
  order.pollsAtMs.push(Date.now())
  if (order.script.poll === 'refused') return shape.refused('invalid')
  const stage = stageOf(order)
  const said = stage === 'expired' ? shape.refused('missing') : shape.progress(shown(order, deps), stage)
  return deliver(said, order.script.poll, response)
}

function resultOf(id: string, deps: PlayDeps): MediaAnswer {
  const { book, shape } = deps
  const order = book.find(id)
  const stage = order === undefined ? 'expired' : stageOf(order)
  if (order === undefined || stage === 'expired' || shape.result === undefined) return shape.refused('missing')
  return shape.result(shown(order, deps), stage)
}

function fileOf(call: MediaCall, id: string, index: number, { book, shape, movie }: PlayDeps): MediaAnswer {
  const order = book.find(id)
  const { end, files } = order?.script ?? { end: { kind: 'expired' }, files: 'gone' }
  if (order === undefined || end.kind !== 'made' || index >= end.count || files === 'gone') {
    return shape.refused('missing')
  }
  order.downloads += 1
  return serveMovie(call, movie())
}

function shown(order: PlayedOrder, deps: PlayDeps): ShownOrder {
  const { id, name, path, body } = order
  const { end } = order.script
  const count = end.kind === 'made' ? end.count : 0
  const links = Array.from({ length: count }, (_, index) => linkTo(id, index, deps))
  const failure = end.kind === 'failed' ? end.message : ''
  return { id, name, path, body, links, movie: deps.movie, origin: deps.origin(), failure }
}

function deliver(
  answer: MediaAnswer,
  play: VideoScript['submit'] | VideoScript['poll'],
  response: ServerResponse,
): MediaAnswer | undefined {
  if (play === 'lost') return drop(response)
  if (play === 'twice') repeat(answer, response)
  return answer
}

function drop(response: ServerResponse): undefined {
  response.socket?.destroy()
}

/** Sends a response a second time. */
function repeat({ status = 200, body = '' }: MediaAnswer, response: ServerResponse): void {
  const { socket } = response
  const text = Buffer.isBuffer(body) || typeof body === 'string' ? body.toString() : JSON.stringify(body)
  const head = `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}`
  response.once('finish', () => {
    if (socket?.writable === true) socket.write(`${head}\r\n\r\n${text}`)
  })
}
