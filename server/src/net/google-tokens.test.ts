import { generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createGoogleTokens, GoogleTokenError } from './google-tokens.ts'

const tokenUrl = 'https://oauth2.googleapis.com/token'
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keyFile = (id = 'key-1'): string =>
  JSON.stringify({
    type: 'service_account',
    client_email: 'weir@project.iam.gserviceaccount.com',
    private_key_id: id,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    // A foreign credentials file must not choose where its assertion is sent.
    token_uri: 'http://169.254.169.254/token',
  })

/** A token server that issues `token-1`, `token-2`, …, each for an hour. */
function tokenServer() {
  let nowMs = 1_000_000
  const forms: URLSearchParams[] = []
  const errors: unknown[] = []
  const state = { status: 200, gate: Promise.resolve() }
  const tokens = createGoogleTokens({
    tokenUrl,
    nowMs: () => nowMs,
    onError: (error) => errors.push(error),
    post: async (form) => {
      forms.push(new URLSearchParams(form))
      const number = forms.length
      await state.gate
      return state.status === 200
        ? { status: 200, body: JSON.stringify({ access_token: `token-${number}`, expires_in: 3_600 }) }
        : { status: state.status, body: JSON.stringify({ error: 'invalid_grant', error_description: 'Bad key' }) }
    },
  })
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { tokens, forms, errors, state, pass }
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

function read(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}

describe('[W5] the credential of a Google account', () => {
  it('is an API key, or a token that somebody else renews', async () => {
    const { tokens, forms } = tokenServer()
    const key = `AIza${'x'.repeat(35)}`
    expect(await tokens.headersFor(key)).toEqual({ 'x-goog-api-key': key })
    expect(await tokens.headersFor('ya29.token')).toEqual({ authorization: 'Bearer ya29.token' })
    expect(forms).toEqual([])
  })

  it('is the key file of a service account, with whose key it asks for a token', async () => {
    const { tokens, forms } = tokenServer()
    expect(await tokens.headersFor(keyFile())).toEqual({ authorization: 'Bearer token-1' })
    const [form] = forms
    expect(form?.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const [head = '', claims = '', signature = ''] = form?.get('assertion')?.split('.') ?? []
    expect(read(head)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' })
    expect(read(claims)).toEqual({
      iss: 'weir@project.iam.gserviceaccount.com',
      sub: 'weir@project.iam.gserviceaccount.com',
      aud: tokenUrl,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      iat: 1_000,
      exp: 4_600,
    })
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(
      true,
    )
  })

  it('asks once for many calls, and ahead of the end without a call that waits', async () => {
    const { tokens, forms, pass, state } = tokenServer()
    const calls = await Promise.all(Array.from({ length: 50 }, () => tokens.headersFor(keyFile())))
    expect(new Set(calls.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer token-1']))
    expect(forms).toHaveLength(1)
    pass(2_699_999)
    await tokens.headersFor(keyFile())
    expect(forms).toHaveLength(1)
    pass(1)
    const gate = Promise.withResolvers<void>()
    state.gate = gate.promise
    expect(await tokens.headersFor(keyFile())).toEqual({ authorization: 'Bearer token-1' })
    expect(await tokens.headersFor(keyFile())).toEqual({ authorization: 'Bearer token-1' })
    expect(forms).toHaveLength(2)
    gate.resolve()
    await settled()
    expect(await tokens.headersFor(keyFile())).toEqual({ authorization: 'Bearer token-2' })
  })

  it('keeps its token when a renewal fails, and asks again later', async () => {
    const { tokens, forms, errors, pass, state } = tokenServer()
    await tokens.headersFor(keyFile())
    pass(3_000_000)
    state.status = 500
    for (let call = 0; call < 3; call += 1) {
      expect(await tokens.headersFor(keyFile())).toEqual({ authorization: 'Bearer token-1' })
      await settled()
    }
    expect(forms).toHaveLength(2)
    expect(errors).toHaveLength(1)
    state.status = 200
    pass(10_000)
    await tokens.headersFor(keyFile())
    await settled()
    expect(await tokens.headersFor(keyFile())).toEqual({ authorization: 'Bearer token-3' })
  })

  it('has a token of its own for each key, so a rotated one takes effect at once', async () => {
    const { tokens } = tokenServer()
    expect(await tokens.headersFor(keyFile('key-1'))).toEqual({ authorization: 'Bearer token-1' })
    expect(await tokens.headersFor(keyFile('key-2'))).toEqual({ authorization: 'Bearer token-2' })
    expect(await tokens.headersFor(keyFile('key-1'))).toEqual({ authorization: 'Bearer token-1' })
  })

  it('fails with what Google says, and with what its file lacks', async () => {
    const { tokens, state } = tokenServer()
    state.status = 400
    await expect(tokens.headersFor(keyFile())).rejects.toThrow(
      new GoogleTokenError('Google issued no access token (400): Bad key'),
    )
    await expect(tokens.headersFor('{}')).rejects.toThrow('lacks client_email or private_key')
    const broken = JSON.stringify({ client_email: 'a', private_key: 'no key' })
    await expect(tokens.headersFor(broken)).rejects.toThrow("can't be read")
  })
})
