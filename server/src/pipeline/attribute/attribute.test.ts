import { describe, expect, it } from 'vitest'
import type { EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createAttribute, isAttributed, readCustomer } from './attribute.ts'

const terms: EndCustomerTerms = { id: 'c', suspended: false, limits: { day: null, month: null, total: null } }
const { arrival } = testTicket()
const principal = makePrincipal({ walletId: 'w' })

/** The stage over a store with one customer. It records which customers were looked up. */
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
    ['in a field of a form', { body: { 'metadata[customer_id]': 'a' } }, true],
    ['in the metadata of a form', { body: { metadata: '{"customer_id":"a"}' } }, true],
    ['in repeated metadata of a form', { body: { metadata: ['{}', '{"customer_id":"a"}'] } }, true],
    ['by neither', { body: { metadata: { user_id: 'a' }, user: 'a' } }, false],
    ['by a text as metadata', { body: { metadata: 'customer_id' } }, false],
    ['by other metadata of a form', { body: { metadata: '{"note":"customer_id"}' } }, false],
    ['by no metadata', { body: { metadata: null } }, false],
  ])('%s: %j', (_way, sent, names) => {
    expect(isAttributed({ ...arrival, ...sent })).toBe(names)
  })
})

describe('reading the customer', () => {
  it('trims the header', () => {
    const sent = { ...arrival, attribution: { customer: ' a ' } }
    expect(readCustomer(sent, principal)).toEqual({ arrival: sent, customer: 'a' })
  })

  it('takes the id out of the metadata, and nothing else', () => {
    const body = { model: 'm', metadata: { customer_id: 'a', user_id: 'u' } }
    expect(readCustomer({ ...arrival, body }, principal)).toMatchObject({
      arrival: { body: { model: 'm', metadata: { user_id: 'u' } } },
      customer: 'a',
    })
    const alone = readCustomer({ ...arrival, body: { model: 'm', metadata: { customer_id: 'a' } } }, principal)
    expect(alone).toMatchObject({ arrival: { body: { model: 'm' } } })
    expect(alone).not.toHaveProperty('arrival.body.metadata')
    expect(body.metadata.customer_id).toBe('a')
  })

  it.each([
    [{ attribution: { customer: 'a b' } }, 'X-Weir-Customer'],
    [{ attribution: { customer: '' } }, 'X-Weir-Customer'],
    [{ attribution: { customer: 'é' } }, 'X-Weir-Customer'],
    [{ attribution: { customer: '.' } }, 'X-Weir-Customer'],
    [{ body: { metadata: { customer_id: 7 } } }, 'metadata.customer_id'],
    [{ body: { metadata: { customer_id: 'a/b' } } }, 'metadata.customer_id'],
    [{ attribution: { customer: 'a' }, body: { metadata: { customer_id: 'b' } } }, 'different customers'],
    [{ body: { 'metadata[customer_id]': 'a' } }, 'Use X-Weir-Customer'],
    [{ body: { metadata: '{"customer_id":"a"}' } }, 'Use X-Weir-Customer'],
    [{ attribution: { customer: 'a' }, body: { 'metadata[customer_id]': 'a' } }, 'Use X-Weir-Customer'],
  ])('refuses %j', (sent, words) => {
    expect(() => readCustomer({ ...arrival, ...sent }, principal)).toThrow(words)
  })

  it('refuses a session of an institution', () => {
    const institutionSession = {
      id: 's',
      personId: 'p',
      spendQuota: null,
      personMonthQuota: null,
      hasCountedQuota: false,
    }
    const sent = { ...arrival, attribution: { customer: 'a' } }
    expect(() => readCustomer(sent, { ...principal, institutionSession })).toThrow('cannot name a customer')
  })
})

describe('the stage', () => {
  it('adds the terms to the principal, at once if they are known', () => {
    const { asked, stage } = attributeTo()
    expect(stage({ arrival, principal, customer: 'a' })).toEqual({ ...principal, attribution: { endCustomer: terms } })
    expect(asked).toEqual(['w a'])
  })

  it('waits for terms that are not here', async () => {
    const { stage } = attributeTo(Promise.resolve(terms))
    expect(await stage({ arrival, principal, customer: 'a' })).toMatchObject({ attribution: { endCustomer: terms } })
  })

  it('refuses a suspended customer', () => {
    const { stage } = attributeTo({ ...terms, suspended: true })
    expect(() => stage({ arrival, principal, customer: 'a' })).toThrow('The customer a is suspended')
  })
})
