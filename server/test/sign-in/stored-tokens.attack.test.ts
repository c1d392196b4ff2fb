import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInSecret } from '#bin/sign-in-secret.ts'
import { sessionCookieName } from '#test/setup/session-cookie.ts'
import { startTestGateway, type TestGateway, testSecret } from '#test/setup/gateway.ts'
import { sessionCookieOf } from '#test/setup/sign-in.ts'
import { linkIn, type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { authClient } from './auth-client.ts'

const email = 'ada@example.com'
const password = 'correct horse battery'

describe('a reader of the database', () => {
  let mail: MailServer
  let gateway: TestGateway
  let auth: ReturnType<typeof authClient>
  beforeAll(async () => {
    mail = await startMailServer()
    gateway = await startTestGateway({ WEIR_MAIL_URL: mail.url, WEIR_MAIL_FROM: 'Weir <weir@example.com>' })
    auth = authClient(gateway)
  })
  afterAll(async () => {
    await gateway.close()
    await mail.close()
  })

  const opens = async (cookie: string): Promise<boolean> =>
    (await fetch(`${gateway.url}/v1/orgs`, { headers: { cookie } })).status === 200
  const resets = async (token: string): Promise<boolean> =>
    (await auth.post('/reset-password', { token, newPassword: password })).status === 200

  it('[B10] finds no token in it that opens a session or sets a password, even with the secret that signs cookies', async () => {
    const before = new Set(await textsIn(gateway.pool))
    await auth.post('/sign-up/email', { email, password, name: 'Ada' })
    await auth.get(`/verify-email${linkIn(await mail.nextTo(email)).search}`)
    const { cookie } = await auth.post('/sign-in/email', { email, password })
    await auth.post('/request-password-reset', { email })
    const token = linkIn(await mail.nextTo(email)).searchParams.get('token') ?? ''

    const found = (await textsIn(gateway.pool)).filter((text) => !before.has(text))
    expect(found.length).toBeGreaterThan(10)
    for (const text of found.flatMap(spellingsOf)) {
      expect(await resets(text), text).toBe(false)
      expect(await opens(`${sessionCookieName}=${encodeURIComponent(text)}`), text).toBe(false)
      expect(await opens(`${sessionCookieName}=${encodeURIComponent(signed(text))}`), text).toBe(false)
      expect(await opens(sessionCookieOf(signInSecret(testSecret), text)), text).toBe(false)
    }
    // The values from the browser and the mail do give access.
    expect(await opens(cookie ?? '')).toBe(true)
    expect(await resets(token)).toBe(true)
    expect(await opens(cookie ?? '')).toBe(false)
    expect(await resets(token)).toBe(false)
  })

  it('[B10] can not keep its owner from listing sessions and ending one of them, or all others', async () => {
    const signIn = async (): Promise<string> => (await auth.post('/sign-in/email', { email, password })).cookie ?? ''
    const [own, lost, third] = [await signIn(), await signIn(), await signIn()]
    const listed = await sessionsOf(own)
    const tokenOfLost = await tokenOf(lost)
    expect(listed).toContain(tokenOfLost)
    expect((await auth.post('/revoke-session', { token: tokenOfLost }, { cookie: own })).status).toBe(200)
    expect([await opens(own), await opens(lost), await opens(third)]).toEqual([true, false, true])
    expect((await auth.post('/revoke-other-sessions', {}, { cookie: own })).status).toBe(200)
    expect([await opens(own), await opens(third)]).toEqual([true, false])
    expect(await sessionsOf(own)).toEqual([await tokenOf(own)])
    expect((await auth.post('/sign-out', {}, { cookie: own })).status).toBe(200)
    expect(await opens(own)).toBe(false)
  })

  it('[B10] sees a session that lives on under the same cookie when it is renewed', async () => {
    const { cookie } = await auth.post('/sign-in/email', { email, password })
    // Older than a day, so that the next read renews it.
    await gateway.pool.query(`UPDATE auth_sessions SET expires_at = expires_at - interval '2 days'`)
    const renewed = await auth.get('/get-session', { cookie: cookie ?? '' })
    expect(renewed.cookie).toBe(cookie)
    expect(await opens(renewed.cookie ?? '')).toBe(true)
  })

  async function sessionsOf(cookie: string): Promise<unknown[]> {
    const reply = await fetch(`${gateway.url}/api/auth/list-sessions`, { headers: { cookie } })
    const list: unknown = await reply.json()
    return Array.isArray(list) ? list.map((session) => session.token) : []
  }

  async function tokenOf(cookie: string): Promise<unknown> {
    const { session } = (await auth.get('/get-session', { cookie })).body
    return typeof session === 'object' && session !== null && 'token' in session ? session.token : undefined
  }
})

/** Every string in every column of every table. */
async function textsIn(pool: Pool): Promise<string[]> {
  const { rows: columns } = await pool.query<{ table_name: string; column_name: string }>(
    `SELECT c.table_name, c.column_name FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
       AND c.data_type IN ('text', 'character varying', 'json', 'jsonb', 'uuid', 'bytea', 'ARRAY')`,
  )
  const texts = new Set<string>()
  for (const { table_name: table, column_name: column } of columns) {
    const { rows } = await pool.query<{ text: string | null }>(`SELECT "${column}"::text AS text FROM "${table}"`)
    for (const { text } of rows) if (text !== null) texts.add(text)
  }
  return [...texts]
}

/** A value itself, and its parts that could be a token. */
function spellingsOf(text: string): string[] {
  const parts = text.split(/[\s:"{},.]+/).filter(({ length }) => length >= 16)
  return [...new Set([text, ...parts])].filter((part) => part.length >= 16)
}

/** Signs a token like the library. */
function signed(token: string): string {
  return `${token}.${createHmac('sha256', signInSecret(testSecret)).update(token).digest('base64')}`
}
