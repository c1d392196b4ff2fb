import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { replyWithError, toGatewayError } from '../error-reply.ts'
import { noteRoutes } from '../note-routes.ts'
import { type InferenceDeps, serveInference } from './serve-inference.ts'

const unreached = (): never => {
  throw new Error('this request ends before it')
}

const deps: InferenceDeps = {
  stages: {
    authenticate: async () => {
      throw new GatewayError('unauthenticated', { message: 'Who are you?' })
    },
    receive: unreached,
    recall: null,
    resume: null,
    readAttribution: unreached,
    parse: unreached,
    admit: unreached,
    guard: unreached,
    route: unreached,
    freeTier: unreached,
    attribute: unreached,
    claim: unreached,
    cache: unreached,
    hold: unreached,
    dispatch: unreached,
    settle: unreached,
    noteRefusal: () => {},
  },
  clientIp: () => null,
  nowMs: Date.now,
  uploads: {
    folders: { prepare: unreached, make: unreached, remove: unreached },
    room: { enter: unreached },
    idleTimeoutMs: 0,
    drainTimeoutMs: 0,
  },
  bodies: { readJson: unreached, readArrivedJson: unreached },
  bodySizes: { conversationBytesMax: 1, recordingBytesMax: 1, mediaBytesMax: 1 },
  lookInto: unreached,
  ownUrl: null,
  unsent: { watch: () => {} },
  onRefused: () => {},
}

it.each([
  ['in the dialect of the endpoint', chatDialect, 401],
  ['as our fault if the dialect cannot express it', { ...chatDialect, errorBody: unreached }, 500],
])('answers a rejected request %s', async (_case, dialect, status) => {
  const server = Fastify({ genReqId: () => 'req_01890000000070008000000000000001' })
  server.decorateRequest('trace', null)
  noteRoutes(server)
  server.setErrorHandler((error, _request, reply) => replyWithError(reply, toGatewayError(error)))
  server.post('/', serveInference(deps, { dialect, acceptsApiKeyHeader: false, access: 'models.chat' }))
  const answer = await server.inject({ method: 'POST', url: '/' })
  expect(answer.statusCode).toBe(status)
})
