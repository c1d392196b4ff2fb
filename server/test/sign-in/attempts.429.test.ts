import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '#test/setup/clock.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type AuthReply, authClient } from './auth-client.ts'

// All tests share the Redis with the counters, so every run has its own addresses.
const run = randomBytes(4).toString('hex')
const newAddress = (): string => `ada.${randomBytes(4).toString('hex')}@example.com`
const newClient = (): string => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`

describe('attempts to sign in', () => {
  let gateway: TestGateway
  let auth: ReturnType<typeof authClient>
  beforeAll(async () => {
    // The clock stands still, so that no new minute starts between two attempts.
    const { nowMs } = createTestClock(new Date().toISOString())
    gateway = await startTestGateway({ WEIR_LIMITS_SIGN_IN: '5', WEIR_EDGE_PROXIES: '127.0.0.1' }, { nowMs })
    auth = authClient(gateway)
  })
  afterAll(() => gateway.close())

  const attempt = (client: string, email: string, path = '/sign-in/email'): Promise<AuthReply> =>
    auth.post(path, { email, password: 'a wrong password' }, { headers: { 'x-real-ip': client } })

  it('are counted for the client, over all addresses and paths', async () => {
    const client = newClient()
    const paths = ['/sign-in/email', '/request-password-reset', '/sign-in/email', '/reset-password', '/sign-in/email']
    for (const path of paths) expect((await attempt(client, newAddress(), path)).status).not.toBe(429)
    const over = await attempt(client.replace('::1', '::2'), newAddress())
    expect(over.status).toBe(429)
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(over.body).toMatchObject({ error: { code: 429 } })
    expect((await attempt(newClient(), newAddress())).status).toBe(401)
  })

  it('count for the client that the edge proxy names, not for one that a caller makes up', async () => {
    const plain = await startTestGateway({ WEIR_LIMITS_SIGN_IN: '1000000', WEIR_EDGE_PROXIES: '192.0.2.1' })
    try {
      const email = `${run}@example.com`
      await authClient(plain).post('/sign-up/email', { email, password: 'correct horse battery', name: 'Ada' })
      const headers = {
        'x-real-ip': '203.0.113.9',
        'x-forwarded-for': '203.0.113.9',
        'x-weir-client-ip': '203.0.113.9',
      }
      await authClient(plain).post('/sign-in/email', { email, password: 'correct horse battery' }, { headers })
      const { rows } = await plain.pool.query('SELECT ip_address FROM auth_sessions')
      expect(rows).toEqual([{ ip_address: '127.0.0.1' }])
    } finally {
      await plain.close()
    }
  })
})
