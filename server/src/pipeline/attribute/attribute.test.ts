import { describe, expect, it } from 'vitest'
import type { EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import { type Tag, tagText } from '#domain/tags/tag.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createAttribute, isAttributed, readAttribution } from './attribute.ts'

const terms: EndCustomerTerms = { id: 'c', suspended: false, limits: { day: null, month: null, total: null } }
const { arrival } = testTicket()
const principal = makePrincipal({ walletId: 'w' })

const named = (customer: string) => ({ customer, tags: [] })

/** The stage over a store with one customer. It records which customers were looked up. */
function attributeTo(found: EndCustomerTerms | Promise<EndCustomerTerms> = terms) {
  const asked: string[] = []
  const find = (walletId: string, externalId: string) => {
    asked.push(`${walletId} ${externalId}`)
    return found
  }
  const findTags = (walletId: string, tags: readonly Tag[]) => {
    asked.push(`${walletId} ${tags.map(tagText).join()}`)
    return tags.map(({ name }) => name)
  }
  return { asked, stage: createAttribute({ endCustomers: { find }, tags: { find: findTags } }) }
}

describe('a request names a customer or tags', () => {
  it.each([
    ['by the header', { attribution: { customer: 'a' } }, true],
    ['by an empty header', { attribution: { customer: '' } }, true],
    ['in the metadata', { body: { metadata: { customer_id: 'a' } } }, true],
    ['by an id of another kind', { body: { metadata: { customer_id: null } } }, true],
    ['in a field of a form', { body: { 'metadata[customer_id]': 'a' } }, true],
    ['in the metadata of a form', { body: { metadata: '{"customer_id":"a"}' } }, true],
    ['in repeated metadata of a form', { body: { metadata: ['{}', '{"customer_id":"a"}'] } }, true],
    ['not, but tags', { attribution: { tags: 'team=search' } }, true],
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
    expect(readAttribution(sent, principal)).toEqual({ arrival: sent, named: { customer: 'a', tags: [] } })
  })

  it('takes the id out of the metadata, and nothing else', () => {
    const body = { model: 'm', metadata: { customer_id: 'a', user_id: 'u' } }
    expect(readAttribution({ ...arrival, body }, principal)).toMatchObject({
      arrival: { body: { model: 'm', metadata: { user_id: 'u' } } },
      named: { customer: 'a' },
    })
    const alone = readAttribution({ ...arrival, body: { model: 'm', metadata: { customer_id: 'a' } } }, principal)
    expect(alone).toMatchObject({ arrival: { body: { model: 'm' } } })
    expect(alone).not.toHaveProperty('arrival.body.metadata')
    expect(body.metadata.customer_id).toBe('a')
  })

  it('takes tags with and without a customer', () => {
    const tags = [{ name: 'team', value: 'search' }]
    const one = { ...arrival, attribution: { tags: 'team=search' } }
    expect(readAttribution(one, principal).named).toEqual({ customer: null, tags })
    const both = { ...arrival, attribution: { customer: 'a', tags: 'team=search' } }
    expect(readAttribution(both, principal).named).toEqual({ customer: 'a', tags })
  })

  it.each([
    [{ attribution: { tags: 'team' } }, 'X-Weir-Tags'],
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
    expect(() => readAttribution({ ...arrival, ...sent }, principal)).toThrow(words)
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
    expect(() => readAttribution(sent, { ...principal, institutionSession })).toThrow('cannot name a customer or tags')
  })
})

describe('the stage', () => {
  it('adds the terms to the principal, at once if they are known', () => {
    const { asked, stage } = attributeTo()
    expect(stage({ arrival, principal, named: named('a') })).toEqual({
      ...principal,
      attribution: { endCustomer: terms, tagIds: [] },
    })
    expect(asked).toEqual(['w a'])
  })

  it('adds the ids of tags, and looks up no customer where none is named', () => {
    const { asked, stage } = attributeTo()
    const tags = [{ name: 'team', value: 'search' }]
    expect(stage({ arrival, principal, named: { customer: null, tags } })).toMatchObject({
      attribution: { endCustomer: null, tagIds: ['team'] },
    })
    expect(asked).toEqual(['w team=search'])
  })

  it('waits for terms that are not here', async () => {
    const { stage } = attributeTo(Promise.resolve(terms))
    expect(await stage({ arrival, principal, named: named('a') })).toMatchObject({
      attribution: { endCustomer: terms },
    })
  })

  it('refuses a suspended customer', () => {
    const { stage } = attributeTo({ ...terms, suspended: true })
    expect(() => stage({ arrival, principal, named: named('a') })).toThrow('The customer a is suspended')
  })
})
