import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { videoHosts, type VideoHostName } from './hosts.ts'
import { startVideoUpstream } from './start-video-upstream.ts'
import type { VideoScript } from './video-upstream.ts'

/**
 * A video host in its own process: `node main.ts --host kling [--key …]`. Prints one line,
 * `{"vendor":"…","baseUrl":"…","key":"…","control":"…"}`, and runs until its control closes it or a signal ends it. Its
 * control accepts the methods of `VideoUpstream` as POST /<method> with named arguments; a video is base64.
 */
const { values } = parseArgs({
  options: { host: { type: 'string', default: 'openai' }, key: { type: 'string', default: 'video-key' } },
})

function isHost(name: string): name is VideoHostName {
  return Object.hasOwn(videoHosts, name)
}

if (!isHost(values.host)) throw new Error(`${values.host} is none of ${Object.keys(videoHosts).join(', ')}.`)
const upstream = await startVideoUpstream(values.host, { key: values.key })

/** The body of a control request; the method decides which field counts. */
interface ControlBody {
  script: Partial<VideoScript>
  scripts: Partial<VideoScript>[]
  movie: string
  count: number
}

const methods: Readonly<Record<string, (body: ControlBody) => Promise<unknown>>> = {
  '/play': ({ script }) => upstream.play(script),
  '/playNext': ({ scripts }) => upstream.playNext(...scripts),
  '/serve': ({ movie }) => upstream.serve(Buffer.from(movie, 'base64')),
  '/orders': () => upstream.orders(),
  '/requests': () => upstream.requests(),
  '/waitForOrders': ({ count }) => upstream.waitForOrders(count),
  '/close': () => upstream.close(),
}

const control = createServer(async (request, response) => {
  const method = methods[request.url ?? '']
  if (method === undefined) {
    response.writeHead(404).end()
    return
  }
  const result = await method(JSON.parse(await text(request)))
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result ?? null))
  if (request.url === '/close') control.close()
})
control.listen(0, '127.0.0.1')
await once(control, 'listening')
const address = control.address()
const port = typeof address === 'object' && address !== null ? address.port : 0
const { vendor, baseUrl, key } = upstream
process.stdout.write(`${JSON.stringify({ vendor, baseUrl, key, control: `http://127.0.0.1:${port}` })}\n`)

// The parent may die without closing this process; the channel between them then breaks.
process.once('disconnect', () => process.exit())
process.channel?.unref()
