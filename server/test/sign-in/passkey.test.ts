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
    const { userId } = await gateway.createClient()
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
    const { userId } = await gateway.createClient()
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

  const signWithAnotherKey = async (credentialId: string) => {
    const asked = await auth.get('/passkey/generate-authenticate-options')
    const device = createSoftwareAuthenticator(Buffer.from(credentialId, 'base64url'))
    const response = device.authenticate({ challenge: String(asked.body['challenge']), rpId, origin: ownOrigin })
    return auth.post('/passkey/verify-authentication', { response }, { cookie: cookiesIn(asked.headers) })
  }

  it('of other accounts get the same refusal as passkeys that do not exist', async () => {
    const { userId } = await gateway.createClient()
    const cookie = await gateway.signIn(userId)
    const { rows } = await gateway.pool.query<{ id: string; credential_id: string }>('SELECT * FROM auth_passkeys')
    const answers = async (path: string, bodies: readonly object[]) =>
      Promise.all(bodies.map((body) => auth.post(path, body, { cookie })))
    for (const path of ['/passkey/delete-passkey', '/passkey/update-passkey']) {
      const ids = [rows[0]?.id, 'none']
      const [foreign, missing] = await answers(
        path,
        ids.map((id) => ({ id, name: 'mine' })),
      )
      expect(foreign).toMatchObject({ status: 404, body: missing?.body })
      const anonymous = await auth.post(path, { id: rows[0]?.id, name: 'mine' })
      expect(anonymous).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    }
    const known = await signWithAnotherKey(rows[0]?.credential_id ?? '')
    const unknown = await signWithAnotherKey('AAAAAAAAAAAAAAAAAAAAAA')
    expect(known).toMatchObject({ status: 401, body: { code: 'AUTHENTICATION_FAILED' }, cookie: null })
    expect(unknown).toMatchObject({ status: 401, body: known.body, cookie: null })
  })

  it('that cannot be verified or belong to another account are rejected with 400, not with a fault', async () => {
    const { userId } = await gateway.createClient()
    const session = await gateway.signIn(userId)
    const { rows } = await gateway.pool.query<{ credential_id: string }>('SELECT credential_id FROM auth_passkeys')
    const taken = Buffer.from(rows[0]?.credential_id ?? '', 'base64url')
    for (const [device, origin] of [
      [createSoftwareAuthenticator(), 'https://evil.example'],
      [createSoftwareAuthenticator(taken), ownOrigin],
    ] as const) {
      const asked = await auth.get('/passkey/generate-register-options', { cookie: session })
      const response = device.register({ challenge: String(asked.body['challenge']), rpId, origin })
      const cookie = `${session}; ${cookiesIn(asked.headers)}`
      const reply = await auth.post('/passkey/verify-registration', { response }, { cookie })
      expect(reply).toMatchObject({ status: 400, body: { code: 'FAILED_TO_VERIFY_REGISTRATION' } })
    }
    expect((await gateway.pool.query('SELECT 1 FROM auth_passkeys')).rowCount).toBe(1)
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
