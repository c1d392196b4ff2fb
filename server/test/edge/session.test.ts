import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

describe('the session of the website', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_HTTP_PUBLIC_URL: 'https://weir.example.com/app' })
  })
  afterAll(() => gateway.close())

  it('[AUTH-19] is a cookie that no script reads, no foreign site sends with a write, and no plain line carries', async () => {
    const person = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
    const post = (path: string) =>
      gateway.as().post(`/api/auth${path}`, person, { headers: { origin: 'https://weir.example.com' } })
    await post('/sign-up/email')
    const [cookie = '', ...others] = (await post('/sign-in/email')).headers.getSetCookie()
    // The cookie of a known device is no session, and is only sent to sign-in.
    expect(others).toEqual([
      expect.stringMatching(/^weir_device=.*; Path=\/api\/auth; HttpOnly; Secure; SameSite=Lax$/),
    ])
    const [pair, ...attributes] = cookie.split('; ')
    expect(pair).toMatch(/^weir_session=./)
    expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Secure', 'Path=/']))
  })

  it.each(['POST', 'PATCH', 'DELETE', 'PUT'])('[AUTH-19] is not good for a %s from elsewhere', async (method) => {
    const send = async (headers: Record<string, string>): Promise<number> => {
      const response = await gateway.as().send(method, '/api/orgs/1/members', undefined, { headers })
      return response.status
    }
    const cookie = 'theme=dark; weir_session=token'
    const foreign = ['https://evil.example.com', 'http://weir.example.com', 'https://weir.example.com.evil.com', 'null']
    for (const origin of foreign) expect(await send({ cookie, origin }), origin).toBe(403)
    expect(await send({ cookie })).toBe(403)
    // From our own page the request reaches the handler; this path has none.
    expect(await send({ cookie, origin: 'https://weir.example.com' })).toBe(404)
    for (const spelt of ['weir_session =token', 'a=1;\tweir_session\t= token', 'a=1, weir_session=token']) {
      expect(await send({ cookie: spelt, origin: 'https://evil.example.com' }), spelt).toBe(403)
    }
    expect(await send({ origin: 'https://evil.example.com' })).toBe(404)
    expect(await send({ cookie: 'weir_session_of_another=1', origin: 'https://evil.example.com' })).toBe(404)
  })

  it('[AUTH-19] may be read with from anywhere, since reading changes nothing', async () => {
    const response = await gateway.as().get('/v1/models', {
      headers: { cookie: 'weir_session=token', origin: 'https://evil.example.com' },
    })
    expect(response.status).toBe(200)
  })
})
