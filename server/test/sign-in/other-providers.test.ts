import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { authClient } from './auth-client.ts'

describe('signing in elsewhere', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({
      WEIR_AUTH_GITHUB_CLIENT_ID: 'our-client',
      WEIR_AUTH_GITHUB_CLIENT_SECRET: 'our-client-secret',
    })
  })
  afterAll(() => gateway.close())

  it('leads to the provider that is configured, and back to our own address whatever host was asked', async () => {
    const auth = authClient(gateway)
    const started = await auth.post(
      '/sign-in/social',
      { provider: 'github', callbackURL: '/keys' },
      { headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' } },
    )
    expect(started.status).toBe(200)
    const url = new URL(String(started.body['url']))
    expect(url.origin + url.pathname).toBe('https://github.com/login/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'our-client',
      redirect_uri: `${ownOrigin}/api/auth/callback/github`,
      state: expect.stringMatching(/.{16,}/),
    })
    expect(JSON.stringify(started.body)).not.toContain('our-client-secret')
  })

  it('does not come back without the state that it left with', async () => {
    const reply = await authClient(gateway).get('/callback/github?code=stolen&state=made-up')
    expect(reply.status).toBe(302)
    expect(reply.headers.get('location')).toContain('error=')
    expect(reply.cookie).toBeNull()
  })

  it('leads to nobody who is not configured, and back to nobody else', async () => {
    const auth = authClient(gateway)
    expect((await auth.post('/sign-in/social', { provider: 'google' })).status).toBe(404)
    const callbackURL = 'https://evil.example/'
    expect((await auth.post('/sign-in/social', { provider: 'github', callbackURL })).status).toBe(403)
  })
})
