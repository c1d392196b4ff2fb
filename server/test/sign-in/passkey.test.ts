import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { authClient, cookiesIn } from './auth-client.ts'
import { createSoftwareAuthenticator } from './software-authenticator.ts'

const rpId = new URL(ownOrigin).hostname

describe('passkeys', () => {
  let gateway: TestGateway
  let auth: ReturnType<typeof authClient>
  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_AUTH_PASSKEYS: 'true' })
    auth = authClient(gateway)
  })
  afterAll(() => gateway.close())

  it('are registered by whoever is signed in, and sign in without a password', async () => {
    const { userId } = await gateway.createCaller()
    const session = await gateway.signIn(userId)
    const device = createSoftwareAuthenticator()
    const asked = await auth.get('/passkey/generate-register-options', { cookie: session })
    expect(asked.body).toMatchObject({ rp: { id: rpId } })
    const registered = await auth.post(
      '/passkey/verify-registration',
      {
        response: device.register({ challenge: String(asked.body['challenge']), rpId, origin: ownOrigin }),
        name: 'laptop',
      },
      { cookie: `${session}; ${cookiesIn(asked.headers)}` },
    )
    expect(registered.status).toBe(200)

    const sign = async (origin: string) => {
      const challenged = await auth.get('/passkey/generate-authenticate-options')
      const challenge = String(challenged.body['challenge'])
      const response = device.authenticate({ challenge, rpId, origin })
      return auth.post('/passkey/verify-authentication', { response }, { cookie: cookiesIn(challenged.headers) })
    }
    const elsewhere = await sign('https://evil.example')
    expect(elsewhere).toMatchObject({ cookie: null })
    expect(elsewhere.status).toBeGreaterThanOrEqual(400)
    const signedIn = await sign(ownOrigin)
    expect(signedIn.status).toBe(200)
    const { body } = await auth.get('/get-session', { cookie: signedIn.cookie ?? '' })
    expect(body).toMatchObject({ user: { id: userId } })
  })

  it('can not be taken away by anybody else, whatever id they name', async () => {
    const { userId } = await gateway.createCaller()
    const cookie = await gateway.signIn(userId)
    const { rows } = await gateway.pool.query<{ id: string }>('SELECT id FROM auth_passkeys')
    for (const id of [rows[0]?.id, 'no id at all', "' OR true --"]) {
      const reply = await auth.post('/passkey/delete-passkey', { id }, { cookie })
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(reply.status).toBeLessThan(500)
    }
    const left = await gateway.pool.query('SELECT 1 FROM auth_passkeys')
    expect(left.rowCount).toBe(1)
  })

  it('do not exist where the operator has not switched them on', async () => {
    const plain = await startTestGateway()
    try {
      expect((await authClient(plain).get('/passkey/generate-authenticate-options')).status).toBe(404)
    } finally {
      await plain.close()
    }
  })
})
