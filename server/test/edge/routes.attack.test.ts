import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'
import { listRoutes, type ListedRoute } from './list-routes.ts'

/** All public routes. Adding one here must be a deliberate decision. */
const publicRoutes = new Set([
  'GET /openapi.json',
  'GET /v1/models',
  'GET /v1/models/x',
  'GET /v1/models/x/x',
  'GET /v1/models/x/endpoints',
  'GET /v1/models/x/x/endpoints',
  'GET /v1/images/models',
  // The token grants access.
  'GET /v1/images/proxy/x',
  'HEAD /v1/images/proxy/x',
  // The same for clients of OpenRouter.
  'GET /openrouter/v1/models',
  'GET /openrouter/v1/models/x',
  'GET /openrouter/v1/models/x/x',
  'GET /openrouter/v1/models/x/endpoints',
  'GET /openrouter/v1/models/x/x/endpoints',
  'GET /openrouter/v1/images/models',
  'GET /openrouter/v1/images/proxy/x',
  'HEAD /openrouter/v1/images/proxy/x',
  // Sign-in starts without a session.
  'GET /api/auth/x',
  'POST /api/auth/x',
  'GET /account/confirm-address',
  'GET /account/new-password',
  'POST /api/edu/request-code',
  'POST /api/edu/verify',
  // The token of an invitation's link shows what it invites to.
  'POST /api/invitations/open',
  // Single sign-on is sign-in: it finds the provider of an address, leads there and takes the answer.
  'GET /api/sign-on',
  'GET /api/sign-on/x/start',
  'GET /api/sign-on/x/callback',
  'POST /api/sign-on/x/saml',
  'GET /api/sign-on/x/saml/metadata',
  // The console requests it before sign-in; a first account needs the token that `weir migrate` prints.
  'GET /api/console/state',
  'POST /api/console/first-run',
])

/** All routes that may call an upstream. */
const pipelineRoutes = [
  'POST /api/v1/chat/completions',
  'POST /api/v1/cursor/chat/completions',
  'POST /api/v1/messages',
  'POST /api/v1/responses',
  'POST /openrouter/v1/chat/completions',
  'POST /openrouter/v1/messages',
  'POST /openrouter/v1/responses',
  'POST /v1/chat/completions',
  'POST /v1/cursor/chat/completions',
  'POST /v1/messages',
  'POST /v1/responses',
]

describe('every route of the router', () => {
  let world: ChatWorld
  let routes: ListedRoute[]
  beforeAll(async () => {
    world = await startChatWorld()
    routes = listRoutes(world.gateway.gateway.server).map(({ method, path }) => ({
      method,
      path: path.replaceAll(/:\w+(?:\|:\w+)*|\*/g, 'x'),
    }))
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  function call({ method, path }: ListedRoute, headers: Record<string, string> = {}): Promise<Reply> {
    // The required fields of every dialect, in one body.
    const body = { model: 'openai/gpt-5.2', messages: hello, input: 'Hello', max_tokens: 100 }
    const hasBody = method !== 'GET' && method !== 'HEAD'
    return world.gateway.as().send(method, path, hasBody ? body : undefined, { headers })
  }

  it('is found by the walk', () => {
    const listed = routes.map(({ method, path }) => `${method} ${path}`)
    expect(listed).toEqual(expect.arrayContaining([...publicRoutes]))
    expect(listed).toEqual(
      expect.arrayContaining([
        'GET /api/v1/key',
        'POST /v1/chat/completions',
        'POST /api/v1/chat/completions',
        'POST /v1/cursor/chat/completions',
        'POST /api/v1/cursor/chat/completions',
      ]),
    )
  })

  it('[P13] refuses who has no key, unless it is public by name', async () => {
    for (const route of routes) {
      const { status } = await call(route)
      expect(status === 401, `${route.method} ${route.path}: ${status}`).toBe(!isPublic(route))
    }
    expect(world.upstreamCalls()).toBe(0)
  })

  it('[P13] reaches an upstream only as a route of the pipeline, and none that is public does', async () => {
    const { key } = await world.caller()
    const reaching: string[] = []
    for (const route of routes) {
      world.forget()
      await call(route, { authorization: `Bearer ${key}` })
      if (world.upstreamCalls() > 0) reaching.push(`${route.method} ${route.path}`)
    }
    expect(reaching.sort()).toEqual(pipelineRoutes)
  })

  it('[P13] asks no upstream for a caller who can not pay, and has reserved before it asks for one who can', async () => {
    for (const route of routes.filter(({ method, path }) => pipelineRoutes.includes(`${method} ${path}`))) {
      world.forget()
      const poor = await world.caller({ usd: '0' })
      expect((await call(route, { authorization: `Bearer ${poor.key}` })).status, route.path).toBe(402)
      expect(world.upstreamCalls()).toBe(0)
      const caller = await world.caller()
      world.openai.playNext({ kind: 'steps', steps: [{ do: 'gate', name: 'asked' }, { do: 'close' }] })
      const answer = call(route, { authorization: `Bearer ${caller.key}` })
      await world.openai.waitForGate('asked')
      const { held } = await world.gateway.walletOf(caller.walletId)
      expect(Number(held), route.path).toBeGreaterThan(0)
      world.openai.release('asked')
      await answer
      expect(await world.gateway.walletOf(caller.walletId)).toMatchObject({ held: '0' })
    }
  })
})

function isPublic({ method, path }: ListedRoute): boolean {
  return publicRoutes.has(`${method} ${path.replace(/^\/api\/v1/, '/v1')}`)
}
