import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '#test/setup/clock.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { linkIn, type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { type AuthReply, type AuthRequest, authClient, cookiesIn } from './auth-client.ts'

const password = 'correct horse battery'
const failuresMax = 2
const clock = createTestClock('2030-01-07T12:00:00Z')
// All tests share the Redis with the counters, so every client has its own network by default.
const newNeighbourhood = (): string => `2001:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`
const nobody = (): string => `${randomBytes(6).toString('hex')}@example.com`
const newClient = (): string => `${newNeighbourhood()}::1`

describe('strangers who try passwords', () => {
  let mail: MailServer
  let gateway: TestGateway
  let auth: ReturnType<typeof authClient>
  beforeAll(async () => {
    mail = await startMailServer()
    gateway = await startTestGateway(
      {
        WEIR_LIMITS_SIGN_IN_FAILURES: String(failuresMax),
        WEIR_EDGE_PROXIES: '127.0.0.1',
        WEIR_MAIL_URL: mail.url,
        WEIR_MAIL_FROM: 'Weir <weir@example.com>',
      },
      { nowMs: clock.nowMs },
    )
    auth = authClient(gateway)
  })
  afterAll(async () => {
    await gateway.close()
    await mail.close()
  })

  const signUp = async (): Promise<string> => {
    const email = `ada.${randomBytes(6).toString('hex')}@example.com`
    await auth.post('/sign-up/email', { email, password, name: 'Ada' }, from(newClient()))
    await auth.get(`/verify-email${linkIn(await mail.nextTo(email)).search}`)
    return email
  }
  const enter = (email: string, client: string, cookie?: string): Promise<AuthReply> =>
    auth.post('/sign-in/email', { email, password }, from(client, cookie))
  const guess = (email: string, client: string, cookie?: string): Promise<AuthReply> =>
    auth.post('/sign-in/email', { email, password: 'a wrong password' }, from(client, cookie))
  const attack = async (email: string): Promise<string[]> => {
    const clients = Array.from({ length: failuresMax + 1 }, newClient)
    for (const client of clients) expect((await guess(email, client)).status).toBe(401)
    return clients
  }

  it('[B9] do not keep the owner from signing in, and learn nothing while they pause', async () => {
    const email = await signUp()
    const clients = await attack(email.toUpperCase())
    const owner = newClient()
    expect((await enter(email, owner)).status).toBe(200)
    expect((await enter(email, owner)).status).toBe(200)
    const [stranger = ''] = clients.slice(-1)
    const refused = await enter(email, stranger)
    expect(refused).toMatchObject({ status: 429, cookie: null })
    expect(refused.headers.get('retry-after')).toBe('60')
    const wrong = await guess(email, stranger)
    expect(wrong).toMatchObject({ status: 429, body: refused.body })
    clock.forward(60_000)
    expect((await guess(email, stranger)).status).toBe(401)
    expect((await guess(email, stranger)).headers.get('retry-after')).toBe('120')
  })

  it('[B9] get one guess each of many at the same moment', async () => {
    const email = await signUp()
    await attack(email)
    const stranger = newClient()
    const replies = await Promise.all(Array.from({ length: 6 }, () => guess(email, stranger)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([401, 429, 429, 429, 429, 429])
  })

  it('[B9] use up the guesses of their place over all accounts, and of their neighbourhood', async () => {
    const neighbourhood = newNeighbourhood()
    const place = (number: number): string => `${neighbourhood}:${number.toString(16)}00::1`
    const statuses: number[] = []
    for (let tries = 0; tries <= failuresMax; tries += 1) statuses.push((await guess(nobody(), place(1))).status)
    expect(statuses).toEqual([401, 401, 429])
    for (let number = 2; number <= 4; number += 1) {
      for (let tries = 0; tries < failuresMax; tries += 1) {
        expect((await guess(nobody(), place(number))).status).toBe(401)
      }
    }
    const unharmed = await signUp()
    expect((await guess(unharmed, place(5))).status).toBe(401)
    expect((await guess(unharmed, place(5))).status).toBe(429)
    expect((await enter(unharmed, place(6))).status).toBe(200)
  })

  it('[B9] do not reach a device that is known, even from its own network', async () => {
    const email = await signUp()
    const shared = newClient()
    const first = await enter(email, shared)
    const device = deviceIn(first)
    const attributes = first.headers.getSetCookie().find((cookie) => cookie.startsWith('weir_device='))
    expect(attributes).toMatch(/; Max-Age=34560000; Path=\/api\/auth; HttpOnly; Secure; SameSite=Lax$/)
    expect(attributes).not.toContain(email)
    for (let tries = 0; tries < failuresMax; tries += 1) await guess(email, shared)
    expect((await enter(email, shared)).status).toBe(429)
    expect((await enter(email, shared, device)).status).toBe(200)
    for (let tries = 0; tries < failuresMax; tries += 1) expect((await guess(email, shared, device)).status).toBe(401)
    expect((await enter(email, shared, device)).status).toBe(429)
    expect((await enter(email, newClient())).status).toBe(200)
  })

  it('[B9] have no device that is known for the account of somebody else', async () => {
    const [email, other] = [await signUp(), await signUp()]
    const client = newClient()
    const device = deviceIn(await enter(other, newClient()))
    const [id = '', account = '', mark = ''] = device.split('=')[1]?.split('.') ?? []
    const ownAccount = deviceIn(await enter(email, newClient())).split('.')[1] ?? ''
    for (let tries = 0; tries < failuresMax; tries += 1) await guess(email, client)
    const forged = [device, `weir_device=${id}.${ownAccount}.${mark}`, `weir_device=x.${account}.${mark}`]
    for (const cookie of forged) expect((await enter(email, client, cookie)).status, cookie).toBe(429)
  })

  it('[B9] do not keep the owner from choosing a new password, which makes the device known', async () => {
    const email = await signUp()
    await attack(email)
    for (let asks = 0; asks < 7; asks += 1) {
      if (asks < 5) await auth.post('/sign-up/email', { email, password, name: 'Eve' }, from(newClient()))
      expect((await auth.post('/request-password-reset', { email }, from(newClient()))).status).toBe(200)
    }
    const owner = newClient()
    for (let tries = 0; tries < failuresMax; tries += 1) await guess(email, owner)
    expect((await auth.post('/request-password-reset', { email }, from(owner))).status).toBe(200)
    const links = await newPasswordLinks(email)
    expect(links).toHaveLength(6)
    const token = links[0]?.searchParams.get('token')
    const chosen = await auth.post('/reset-password', { token, newPassword: password }, from(owner))
    expect(chosen.status).toBe(200)
    expect((await enter(email, owner)).status).toBe(429)
    expect((await enter(email, owner, deviceIn(chosen))).status).toBe(200)
  })

  /** Six mails of each kind are allowed per hour, and one has confirmed the address. */
  async function newPasswordLinks(email: string): Promise<URL[]> {
    const links: URL[] = []
    for (let mails = 0; mails < 11; mails += 1) {
      const link = linkIn(await mail.nextTo(email))
      if (link.pathname === '/account/new-password') links.push(link)
    }
    return links
  }

  it('[B9] are reported to operators once, by the account and never by its address', async () => {
    const email = await signUp()
    const failed = await readMetric('weir_sign_in_failures_total')
    await attack(email)
    const { rows } = await gateway.pool.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email])
    const userId = rows[0]?.id
    const reported = async (): Promise<unknown[]> =>
      (
        await gateway.pool.query(
          `SELECT actor_kind, details FROM audit_entries WHERE action = 'user.sign_in.attacked' AND target_id = $1`,
          [userId],
        )
      ).rows
    await expect.poll(reported).toEqual([{ actor_kind: 'anonymous', details: null }])
    const lines = gateway.logLines.filter((line) => line.includes('password guessing against an account'))
    expect(lines.filter((line) => line.includes(userId ?? 'nobody'))).toHaveLength(1)
    expect(gateway.logLines.join()).not.toContain(email)
    expect((await readMetric('weir_sign_in_failures_total')) - failed).toBe(failuresMax + 1)
    expect(await readMetric('weir_sign_in_accounts_under_attack_total')).toBeGreaterThan(0)
  })

  async function readMetric(name: string): Promise<number> {
    const text = await gateway.readMetrics()
    return Number(text.match(new RegExp(`^${name} (\\d+)$`, 'm'))?.[1])
  }
})

function from(client: string, cookie?: string): AuthRequest {
  return { headers: { 'x-real-ip': client }, ...(cookie === undefined ? {} : { cookie }) }
}

function deviceIn(reply: AuthReply): string {
  const pairs = cookiesIn(reply.headers).split('; ')
  return pairs.find((pair) => pair.startsWith('weir_device=')) ?? 'no device'
}
