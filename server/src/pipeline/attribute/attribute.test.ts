import { describe, expect, it } from 'vitest'
import type { EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createAttribute, isAttributed } from './attribute.ts'

const terms: EndCustomerTerms = { id: 'c', suspended: false, limits: { day: null, month: null, total: null } }
const { arrival } = testTicket()
const principal = makePrincipal({ walletId: 'w' })

/** Attributes one request, and records which customers were looked up. */
function attributeTo(found: EndCustomerTerms | Promise<EndCustomerTerms> = terms) {
  const asked: string[] = []
  const stage = createAttribute({
    find: (walletId, externalId) => {
      asked.push(`${walletId} ${externalId}`)
      return found
    },
  })
  return { asked, stage }
}

describe('a request names a customer', () => {
  it.each([
    ['by the header', { attribution: { customer: 'a' } }, true],
    ['by an empty header', { attribution: { customer: '' } }, true],
    ['in the metadata', { body: { metadata: { customer_id: 'a' } } }, true],
    ['by an id of another kind', { body: { metadata: { customer_id: null } } }, true],
    ['by neither', { body: { metadata: { user_id: 'a' }, user: 'a' } }, false],
    ['by a text as metadata', { body: { metadata: 'customer_id' } }, false],
    ['by no metadata', { body: { metadata: null } }, false],
  ])('%s: %j', (_way, sent, names) => {
    expect(isAttributed({ ...arrival, ...sent })).toBe(names)
  })
})

describe('the stage', () => {
  it('adds the terms to the principal, at once if they are known', () => {
    const { asked, stage } = attributeTo()
    const sent = { ...arrival, attribution: { customer: ' a ' } }
    expect(stage(sent, principal)).toEqual({
      arrival: sent,
      principal: { ...principal, attribution: { endCustomer: terms } },
    })
    expect(asked).toEqual(['w a'])
  })

  it('waits for terms that are not here', async () => {
    const { stage } = attributeTo(Promise.resolve(terms))
    expect(await stage({ ...arrival, attribution: { customer: 'a' } }, principal)).toMatchObject({
      principal: { attribution: { endCustomer: terms } },
    })
  })

  it('takes the id out of the metadata, and nothing else', () => {
    const { asked, stage } = attributeTo()
    const body = { model: 'm', metadata: { customer_id: 'a', user_id: 'u' } }
    expect(stage({ ...arrival, body }, principal)).toMatchObject({
      arrival: { body: { model: 'm', metadata: { user_id: 'u' } } },
    })
    const alone = stage({ ...arrival, body: { model: 'm', metadata: { customer_id: 'a' } } }, principal)
    expect(alone).toMatchObject({ arrival: { body: { model: 'm' } } })
    expect(alone).not.toHaveProperty('arrival.body.metadata')
    expect(body.metadata.customer_id).toBe('a')
    expect(asked).toEqual(['w a', 'w a'])
  })

  it.each([
    [{ attribution: { customer: 'a b' } }, 'X-Weir-Customer'],
    [{ attribution: { customer: '' } }, 'X-Weir-Customer'],
    [{ attribution: { customer: 'é' } }, 'X-Weir-Customer'],
    [{ attribution: { customer: '.' } }, 'X-Weir-Customer'],
    [{ body: { metadata: { customer_id: 7 } } }, 'metadata.customer_id'],
    [{ body: { metadata: { customer_id: 'a/b' } } }, 'metadata.customer_id'],
    [{ attribution: { customer: 'a' }, body: { metadata: { customer_id: 'b' } } }, 'different customers'],
  ])('refuses %j before it looks anything up', (sent, words) => {
    const { asked, stage } = attributeTo()
    expect(() => stage({ ...arrival, ...sent }, principal)).toThrow(words)
    expect(asked).toEqual([])
  })

  it('refuses a suspended customer', () => {
    const { stage } = attributeTo({ ...terms, suspended: true })
    expect(() => stage({ ...arrival, attribution: { customer: 'a' } }, principal)).toThrow(
      'The customer a is suspended',
    )
  })

  it('refuses a session of an institution', () => {
    const { asked, stage } = attributeTo()
    const institutionSession = {
      id: 's',
      personId: 'p',
      spendQuota: null,
      personMonthQuota: null,
      hasCountedQuota: false,
    }
    expect(() => stage({ ...arrival, attribution: { customer: 'a' } }, { ...principal, institutionSession })).toThrow(
      'cannot name a customer',
    )
    expect(asked).toEqual([])
  })
})
