import Fastify from 'fastify'
import { expect, it } from 'vitest'
import type { IdentifyRequest } from '#pipeline/authenticate/identify.ts'
import { createIdentifyRequest } from './identify-request.ts'

const headers = { authorization: 'Bearer one', 'x-api-key': 'two', cookie: 'weir_session=three' }

async function askedWith(accepts: { apiKeyHeader: boolean; session: boolean }): Promise<IdentifyRequest | undefined> {
  let asked: IdentifyRequest | undefined
  const identify = createIdentifyRequest({
    identify: async (request) => {
      asked = request
      return null
    },
    clientIp: () => '192.0.2.1',
    nowMs: () => 7,
  })
  const server = Fastify()
  server.get('/', (request) => identify(request, accepts))
  await server.inject({ url: '/', headers })
  await server.close()
  return asked
}

const always = { authorization: 'Bearer one', clientIp: '192.0.2.1', nowMs: 7 }

it.each([
  { accepts: { apiKeyHeader: false, session: false }, apiKey: undefined, cookie: undefined },
  { accepts: { apiKeyHeader: true, session: false }, apiKey: 'two', cookie: undefined },
  { accepts: { apiKeyHeader: false, session: true }, apiKey: undefined, cookie: 'weir_session=three' },
])('looks only at headers that the endpoint accepts: $accepts', async ({ accepts, apiKey, cookie }) => {
  expect(await askedWith(accepts)).toEqual({ ...always, apiKey, cookie })
})
