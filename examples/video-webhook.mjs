// Orders a video and waits for the call that says it is done, whose signature it checks. Needs WEIR_MANAGEMENT_KEY.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { call, key, url } from './weir.mjs'

const { data } = await call('/v1/webhooks/secret', { method: 'PUT', key: process.env.WEIR_MANAGEMENT_KEY })
const secret = Buffer.from(data.secret.replace('whsec_', ''), 'base64')

/** As Standard Webhooks have it: HMAC-SHA256 over id, time and body. Libraries for them check the time as well. */
function isSigned({ headers }, body) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = Buffer.from(createHmac('sha256', secret).update(signed).digest('base64'))
  const given = String(headers['webhook-signature']).split(' ').map((part) => Buffer.from(part.replace('v1,', '')))
  return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected))
}

const done = Promise.withResolvers()
const server = createServer(async (request, response) => {
  const body = await text(request)
  response.writeHead(isSigned(request, body) ? 204 : 401).end()
  if (isSigned(request, body)) done.resolve(JSON.parse(body))
})
await once(server.listen(0, '127.0.0.1'), 'listening')

const order = { model: 'test/video', prompt: 'A weir in the fog', callback_url: `http://127.0.0.1:${server.address().port}/done` }
const job = await call('/v1/videos', { method: 'POST', body: order })
console.log(job.status)
const { event, id } = await done.promise
server.close()
const film = await fetch(`${url}/v1/videos/${id}/content?index=0`, { headers: { authorization: `Bearer ${key}` } })
console.log(`${event}: ${film.headers.get('content-type')}`)

// Prints:
// pending
// video.completed: video/mp4
