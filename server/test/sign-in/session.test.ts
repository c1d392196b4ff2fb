import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { suspendUser } from '#control/operators/operate-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { tokenOf } from '#store/sign-in/session-secrets.ts'
import { openRoad } from '#test/edge/open-road.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { createClient } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { sessionCookieName } from '#test/setup/session-cookie.ts'
import { sessionCookieOf } from '#test/setup/sign-in.ts'
import { authClient, cookiesIn } from './auth-client.ts'

const email = 'ada@example.com'
const password = 'correct horse battery'

describe('a session', () => {
  let gateway: TestGateway
  let auth: ReturnType<typeof authClient>
  beforeAll(async () => {
    gateway = await startTestGateway()
    auth = authClient(gateway)
    await auth.post('/sign-up/email', { email, password, name: 'Ada' })
  })
  afterAll(() => gateway.close())

  const statusOf = async (cookie: string, url = gateway.url): Promise<number> =>
    (await createClient(url, { cookie }).get('/v1/orgs')).status
  const signIn = async (): Promise<string> => (await auth.post('/sign-in/email', { email, password })).cookie ?? ''

  it('[AUTH-19] is begun by signing in, in a cookie that only a browser on an encrypted line returns', async () => {
    const reply = await auth.post('/sign-in/email', { email, password })
    const [cookie = ''] = reply.headers.getSetCookie()
    expect(cookie).toMatch(/^weir_session=/)
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Secure', 'Path=/']) expect(cookie).toContain(`; ${attribute}`)
    expect(cookie).not.toMatch(/domain/i)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    expect(await statusOf(reply.cookie ?? '')).toBe(200)
  })

  it('has a token of its own at every sign-in, whatever cookie came along', async () => {
    const planted = await signIn()
    const again = await auth.post('/sign-in/email', { email, password }, { cookie: planted })
    expect(again.cookie).not.toBe(planted)
    const made = `${sessionCookieName}=made-up-by-somebody`
    const fixed = await auth.post('/sign-in/email', { email, password }, { cookie: made })
    expect(fixed.cookie).not.toContain('made-up-by-somebody')
    expect(await statusOf(made)).toBe(401)
  })

  it('is known to a gateway without a public address, which loads the library for the first of them', async () => {
    const second = await startSecondGateway(gateway)
    try {
      const cookies = [await signIn(), `${sessionCookieName}=made-up-by-somebody`]
      expect(await Promise.all(cookies.map((cookie) => statusOf(cookie, second.url)))).toEqual([200, 401])
    } finally {
      await second.close()
    }
  })

  it('is refused when any part of the cookie is another', async () => {
    const cookie = await signIn()
    const value = decodeURIComponent(cookie.slice(sessionCookieName.length + 1))
    expect(value.length).toBeGreaterThan(60)
    const changed = (at: number, bit: number): string => {
      const code = value.charCodeAt(at) ^ (1 << bit)
      return `${value.slice(0, at)}${String.fromCharCode(code)}${value.slice(at + 1)}`
    }
    // The last character of the signature only uses four of its six bits.
    const places = Array.from({ length: value.length - 2 }, (_, at) => at)
    const forged = places.map((at) => changed(at, at % 7))
    forged.push(value.slice(0, -1), value.slice(1), value.split('.')[0] ?? '', `${value.split('.')[0]}.`, '')
    const statuses = await Promise.all(
      forged.map((text) => statusOf(`${sessionCookieName}=${encodeURIComponent(text)}`)),
    )
    expect(new Set(statuses)).toEqual(new Set([401]))
    expect(await statusOf(sessionCookieOf('another secret', value.split('.')[0] ?? ''))).toBe(401)
    expect(await statusOf(cookie)).toBe(200)
  })

  it('ends when its person signs out, at once, and the cookie goes', async () => {
    const cookie = await signIn()
    const other = await signIn()
    const out = await auth.post('/sign-out', {}, { cookie })
    expect(out.status).toBe(200)
    expect(cookiesIn(out.headers)).toContain(`${sessionCookieName}=`)
    expect(out.headers.getSetCookie().join()).toContain('Max-Age=0')
    expect(await statusOf(cookie)).toBe(401)
    expect(await statusOf(other)).toBe(200)
  })

  it('ends by itself', async () => {
    const cookie = await signIn()
    const value = decodeURIComponent(cookie).slice(sessionCookieName.length + 1)
    const token = tokenOf(value.split('.')[0] ?? '')
    const { rowCount } = await gateway.pool.query(
      `UPDATE auth_sessions SET expires_at = now() - interval '1 second' WHERE token = $1`,
      [token],
    )
    expect(rowCount).toBe(1)
    expect(await statusOf(cookie)).toBe(401)
  })

  it('ends everywhere else with a new password', async () => {
    const [one, two] = [await signIn(), await signIn()]
    const next = 'another horse battery'
    const change = { currentPassword: password, newPassword: next, revokeOtherSessions: true }
    const changed = await auth.post('/change-password', change, { cookie: one })
    expect(changed.status).toBe(200)
    expect([await statusOf(one), await statusOf(two)]).toEqual([401, 401])
    expect(await statusOf(changed.cookie ?? '')).toBe(200)
    const back = { currentPassword: next, newPassword: password }
    expect((await auth.post('/change-password', back, { cookie: changed.cookie ?? '' })).status).toBe(200)
  })

  it('[AUTH-10] of a suspended person is answered with 403', async () => {
    const { userId } = await gateway.createClient()
    const cookie = await gateway.signIn(userId)
    expect(await statusOf(cookie)).toBe(200)
    const { users } = createPostgresOperators(gateway.pool)
    const change = { reference: userId, suspended: true }
    await suspendUser({ users, announce: async () => {} }, change, operatorAuthor(Date.now()))
    expect(await statusOf(cookie)).toBe(403)
  })

  it('[AUTH-19] does not write for a foreign page, nor for a request that names none', async () => {
    const cookie = await signIn()
    const patch = async (headers: Record<string, string>): Promise<number> => {
      const options = { headers: { cookie, ...headers } }
      return (await gateway.as().patch('/api/user/circuit-breaker', { cbHourlyUsd: 7 }, options)).status
    }
    for (const origin of ['https://evil.example', 'null', `${ownOrigin}.evil.example`, ownOrigin.replace('s:', ':')]) {
      expect(await patch({ origin }), origin).toBe(403)
      expect((await auth.post('/sign-out', {}, { cookie, headers: { origin } })).status, origin).toBe(403)
    }
    expect(await patch({})).toBe(403)
    expect(await patch({ referer: `${ownOrigin}/`, 'sec-fetch-site': 'same-origin' })).toBe(403)
    expect(await patch({ origin: ownOrigin })).toBe(200)
    expect(await statusOf(cookie)).toBe(200)
  })

  it('[AUTH-20] is answered with 503 while Postgres cannot be reached, never with 401', async () => {
    const road = await openRoad(new URL(gateway.databaseUrl))
    const url = new URL(gateway.databaseUrl)
    url.port = String(road.port)
    const environment = { WEIR_HTTP_PUBLIC_URL: ownOrigin, WEIR_LIMITS_SIGN_IN: '100000' }
    const second = await startSecondGateway({ databaseUrl: url.href }, environment)
    try {
      const cookie = await signIn()
      expect(await statusOf(cookie, second.url)).toBe(200)
      road.cut()
      expect(await statusOf(cookie, second.url)).toBe(503)
      const elsewhere = authClient(second)
      expect((await elsewhere.get('/list-sessions', { cookie })).status).toBe(503)
      expect((await elsewhere.get('/get-session', { cookie })).status).toBe(503)
      expect((await elsewhere.post('/sign-in/email', { email, password })).status).toBe(503)
      road.mend()
      await expect.poll(() => statusOf(cookie, second.url)).toBe(200)
    } finally {
      await second.close()
      await road.close()
    }
  })
})
