import { describe, expect, it } from 'vitest'
import type { Person, SignedInPerson } from '#domain/access/client.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid } from '#lib/uuid.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { createIdentify, type IdentifyRequest } from './identify.ts'

const principal = makePrincipal()
const person: SignedInPerson = {
  sessionId: newUuid(3),
  userId: newUuid(1),
  email: 'ada@example.org',
  name: 'Ada',
  walletId: newUuid(2),
  suspended: false,
  signedInAtMs: 0,
  passedSecondFactor: false,
  operatorRole: null,
}

const viewId = newUuid(4)
const customer: Person = { ...makePerson('grace@example.org'), suspended: true }
const operator: SignedInPerson = { ...person, operatorRole: 'support', passedSecondFactor: true }

function makePerson(email: string): Person {
  return { userId: newUuid(5), email, name: 'Grace', walletId: newUuid(6), suspended: false }
}

/** Starts `identify` with one known session cookie, one valid key and one open view. */
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
    views: {
      findOpen: async (asked) =>
        asked.viewId === viewId && asked.sessionId === person.sessionId && asked.nowMs < 100 ? customer : null,
    },
  })
  const ask = (request: Partial<IdentifyRequest>) =>
    identify({ cookie: undefined, viewId: undefined, clientIp: null, nowMs: 0, ...request })
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
    expect(await ask({ cookie: 'session' })).toEqual({ kind: 'session', person, view: null })
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

describe('a view of a customer', () => {
  const ended = { errorName: 'viewEnded' }

  it('has the customer as the person, also a suspended one, who has no rights of an operator', async () => {
    expect(await startIdentify(operator).ask({ cookie: 'session', viewId })).toEqual({
      kind: 'session',
      person: {
        ...customer,
        sessionId: person.sessionId,
        signedInAtMs: 0,
        passedSecondFactor: false,
        operatorRole: null,
      },
      view: { id: viewId, operator },
    })
  })

  it('is unknown without a session, and not looked for with a key', async () => {
    expect(await startIdentify(operator).ask({ viewId })).toBeNull()
    expect(await startIdentify(null).ask({ cookie: 'stale', viewId })).toBeNull()
    const withKey = startIdentify(operator).ask({ authorization: 'Bearer good', cookie: 'session', viewId })
    await expect(withKey).rejects.toMatchObject(ended)
  })

  it.each<[string, SignedInPerson, Partial<IdentifyRequest>]>([
    ['that is over', operator, { viewId, nowMs: 100 }],
    ['of another session', { ...operator, sessionId: newUuid(7) }, { viewId }],
    ['that never was', operator, { viewId: newUuid(8) }],
    ['whose id is none', operator, { viewId: 'x' }],
    ['whose id is empty', operator, { viewId: '' }],
    ['of a person who operates nothing', { ...operator, operatorRole: null }, { viewId }],
    ['of an operator without a second factor', { ...operator, passedSecondFactor: false }, { viewId }],
    ['of an operator in finance', { ...operator, operatorRole: 'finance' }, { viewId }],
    ['of an operator who only reads', { ...operator, operatorRole: 'read_only' }, { viewId }],
  ])('has ended: one %s', async (_what, signedIn, request) => {
    await expect(startIdentify(signedIn).ask({ cookie: 'session', ...request })).rejects.toMatchObject(ended)
  })

  it('[AUTH-10] ends with the suspension of the operator', async () => {
    const { ask } = startIdentify({ ...operator, suspended: true })
    await expect(ask({ cookie: 'session', viewId })).rejects.toMatchObject({ errorName: 'accountSuspended' })
  })
})
