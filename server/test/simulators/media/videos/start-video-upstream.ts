import type { ServerResponse } from 'node:http'
import { type MediaAnswer, type MediaCall, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { videoHosts, type VideoHostName } from './hosts.ts'
import { OrderBook, type PlayedOrder, stageOf } from './order-book.ts'
import { serveMovie, tinyMovie } from './serve-movie.ts'
import type { ShownOrder, VideoRequest, VideoShape } from './video-shape.ts'
import type { SeenRequest, VideoScript, VideoUpstream } from './video-upstream.ts'

export interface VideoUpstreamOptions {
  readonly key?: string
  readonly movie?: Buffer
}

/** A host of videos on a real socket, in this process. */
export async function startVideoUpstream(
  host: VideoHostName,
  { key = 'video-key', movie: firstMovie = tinyMovie() }: VideoUpstreamOptions = {},
): Promise<VideoUpstream> {
  const shape: VideoShape = videoHosts[host]
  const book = new OrderBook()
  const requests: SeenRequest[] = []
  let movie = firstMovie
  const upstream = await startMediaUpstream(async (call, response) => {
    requests.push({ method: call.method, path: call.path, atMs: Date.now() })
    const link = publicLink.exec(call.path)
    // Links that anybody can fetch are served without asking for the key.
    if (link !== null) return fileOf(call, link[1] ?? '', Number(link[2]))
    if (!shape.isAuthorized(call, key)) return shape.refused('unauthorized')
    const request = await shape.recognise(call)
    if (request === null) return shape.refused('missing')
    return answer(request, call, response)
  })

  function answer(request: VideoRequest, call: MediaCall, response: ServerResponse): MediaAnswer | undefined {
    switch (request.kind) {
      case 'submit':
        return submit(request, call, response)
      case 'poll':
        return poll(request.id, response)
      case 'file':
        return shape.filesLeadElsewhere === true
          ? { status: 302, headers: { location: `${upstream.url}/made/${request.id}/${request.index}.mp4` } }
          : fileOf(call, request.id, request.index)
    }
  }

  function submit(
    { name, prompt }: { name: string | null; prompt: string },
    call: MediaCall,
    response: ServerResponse,
  ): MediaAnswer | undefined {
    const script = book.nextScript()
    const { submit: play } = script
    if (play === 'dropped') return drop(response)
    if (play === 'failing' || play === 'limited' || play === 'invalid') return shape.refused(play)
    const order = book.take({ name, prompt, path: call.path, body: call.json }, script)
    return deliver(shape.accepted(shown(order)), play, response)
  }

  function poll(id: string, response: ServerResponse): MediaAnswer | undefined {
    const order = book.find(id)
    if (order === undefined) return shape.refused('missing')
    order.pollsAtMs.push(Date.now())
    const stage = stageOf(order)
    const said = stage === 'expired' ? shape.refused('missing') : shape.progress(shown(order), stage)
    return deliver(said, order.script.poll, response)
  }

  function fileOf(call: MediaCall, id: string, index: number): MediaAnswer {
    const order = book.find(id)
    const { end, files } = order?.script ?? { end: { kind: 'expired' }, files: 'gone' }
    if (order === undefined || end.kind !== 'made' || index >= end.count || files === 'gone') {
      return shape.refused('missing')
    }
    order.downloads += 1
    return serveMovie(call, movie)
  }

  function shown({ id, name, path, body, script: { end } }: PlayedOrder): ShownOrder {
    const count = end.kind === 'made' ? end.count : 0
    const links = Array.from({ length: count }, (_, index) => `${upstream.url}/made/${id}/${index}.mp4`)
    const failure = end.kind === 'failed' ? end.message : ''
    return { id, name, path, body, links, origin: upstream.url, failure }
  }

  return {
    vendor: shape.vendor,
    baseUrl: upstream.url + shape.basePath,
    key,
    play: async (script) => book.play(script),
    playNext: async (...scripts) => book.playNext(...scripts),
    serve: async (next) => {
      movie = next
    },
    orders: async () => book.orders.map(({ script: _, ...order }) => order),
    requests: async () => [...requests],
    waitForOrders: (count) => book.waitFor(count),
    close: () => upstream.close(),
  }
}

const publicLink = /^\/made\/([\w-]+)\/(\d+)\.mp4$/

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

/** Once an answer is on its way, it is sent again as it was. */
function repeat({ status = 200, body = '' }: MediaAnswer, response: ServerResponse): void {
  const { socket } = response
  const text = Buffer.isBuffer(body) || typeof body === 'string' ? body.toString() : JSON.stringify(body)
  const head = `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}`
  response.once('finish', () => {
    if (socket?.writable === true) socket.write(`${head}\r\n\r\n${text}`)
  })
}
