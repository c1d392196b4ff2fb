import { describe, expect, it } from 'vitest'
import type { SignedInPerson } from '#domain/access/client.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid } from '#lib/uuid.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { createIdentify, type IdentifyRequest } from './identify.ts'

const principal = makePrincipal()
const person: SignedInPerson = {
  userId: newUuid(1),
  email: 'ada@example.org',
  name: 'Ada',
  walletId: newUuid(2),
  suspended: false,
  signedInAtMs: 0,
  passedSecondFactor: false,
  operatorRole: null,
}

/** Starts `identify` with one known session cookie and one valid key. */
function startIdentify(found: SignedInPerson | null = person) {
  const cookies: string[] = []
  const identify = createIdentify({
    authenticate: async ({ authorization, apiKey }) => {
      if (authorization === 'Bearer good' || apiKey === 'good') return principal
      throw new GatewayError('unauthenticated', { message: 'no' })
    },
    sessions: {
      findPerson: async (cookie) => {
        cookies.push(cookie)
        return found
      },
    },
  })
  const ask = (request: Partial<IdentifyRequest>) =>
    identify({ cookie: undefined, clientIp: null, nowMs: 0, ...request })
  return { ask, cookies }
}

describe('who is calling', () => {
  it.each([{ authorization: 'Bearer good' }, { apiKey: 'good' }])('is the holder of a key: %o', async (headers) => {
    const { ask, cookies } = startIdentify()
    expect(await ask({ ...headers, cookie: 'session' })).toEqual({ kind: 'key', principal })
    expect(cookies).toEqual([])
  })

  it.each([{ authorization: 'Bearer bad' }, { apiKey: 'bad' }, { authorization: '' }, { apiKey: '' }])(
    'is nobody with a key that does not hold, and the session beside it is not looked at: %o',
    async (headers) => {
      const { ask, cookies } = startIdentify()
      await expect(ask({ ...headers, cookie: 'session' })).rejects.toMatchObject({ errorName: 'unauthenticated' })
      expect(cookies).toEqual([])
    },
  )

  it('is the person of a session', async () => {
    const { ask, cookies } = startIdentify()
    expect(await ask({ cookie: 'session' })).toEqual({ kind: 'session', person })
    expect(cookies).toEqual(['session'])
  })

  it('is unknown without key and cookie, and no session is looked for', async () => {
    const { ask, cookies } = startIdentify()
    expect(await ask({})).toBeNull()
    expect(cookies).toEqual([])
  })

  it('is unknown where the cookie opens no session', async () => {
    expect(await startIdentify(null).ask({ cookie: 'stale' })).toBeNull()
  })

  it('[AUTH-10] is refused where the account is suspended', async () => {
    await expect(startIdentify({ ...person, suspended: true }).ask({ cookie: 'session' })).rejects.toMatchObject({
      errorName: 'accountSuspended',
      message: 'This account is suspended. Please contact support.',
    })
  })
})
