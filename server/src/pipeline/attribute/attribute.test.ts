import { describe, expect, it } from 'vitest'
import type { EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import { noRules } from '#domain/runs/run-rules.ts'
import type { NamedRun, RunTerms } from '#domain/runs/run.ts'
import { type Tag, tagText } from '#domain/tags/tag.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createAttribute, isAttributed, readAttribution } from './attribute.ts'

const terms: EndCustomerTerms = {
  id: 'c',
  suspended: false,
  isPrepaid: false,
  limits: { day: null, month: null, total: null },
}
const run: RunTerms = {
  id: 'r',
  externalId: 'job-1',
  path: ['r'],
  parent: null,
  budget: null,
  budgets: [],
  stop: null,
  ownRules: noRules,
  rules: [],
}
const { arrival } = testTicket()
const principal = makePrincipal({ walletId: 'w' })

const named = (customer: string) => ({ customer, tags: [], run: null })

/** The stage over a store with one customer. It records which customers were looked up. */
function attributeTo(found: EndCustomerTerms | Promise<EndCustomerTerms> = terms) {
  const asked: string[] = []
  const counted: string[] = []
  const find = (walletId: string, externalId: string) => {
    asked.push(`${walletId} ${externalId}`)
    return found
  }
  const findTags = (walletId: string, tags: readonly Tag[]) => {
    asked.push(`${walletId} ${tags.map(tagText).join()}`)
    return tags.map(({ name }) => name)
  }
  const judgeRunRules = async () => {
    asked.push('rules')
  }
  const open = (_sender: unknown, { id }: NamedRun) => {
    asked.push(`run ${id}`)
    return run
  }
  return {
    asked,
    counted,
    stage: createAttribute({
      endCustomers: { find },
      tags: { find: findTags },
      runs: { open },
      judgeRunRules,
      metrics: { attributed: { inc: ({ by }) => counted.push(by) } },
    }),
  }
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
    ['not, but a run', { attribution: { run: 'job-1' } }, true],
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
    expect(readAttribution(sent, principal)).toEqual({ arrival: sent, named: { customer: 'a', tags: [], run: null } })
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
    expect(readAttribution(one, principal).named).toEqual({ customer: null, tags, run: null })
    const both = { ...arrival, attribution: { customer: 'a', tags: 'team=search' } }
    expect(readAttribution(both, principal).named).toEqual({ customer: 'a', tags, run: null })
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
    expect(() => readAttribution(sent, { ...principal, institutionSession })).toThrow(
      'cannot name a customer, tags or a run',
    )
  })
})

describe('the stage', () => {
  it('adds the terms to the principal, at once if they are known', () => {
    const { asked, stage } = attributeTo()
    expect(stage({ arrival, principal, named: named('a') })).toEqual({
      ...principal,
      attribution: { endCustomer: terms, tagIds: [], run: null },
    })
    expect(asked).toEqual(['w a'])
  })

  it('adds the ids of tags, and looks up no customer where none is named', () => {
    const { asked, stage } = attributeTo()
    const tags = [{ name: 'team', value: 'search' }]
    expect(stage({ arrival, principal, named: { customer: null, tags, run: null } })).toMatchObject({
      attribution: { endCustomer: null, tagIds: ['team'] },
    })
    expect(asked).toEqual(['w team=search'])
  })

  it('adds the named run, and looks up none without a name', () => {
    const { asked, stage } = attributeTo()
    const sent = { ...arrival, attribution: { run: 'job-1', runBudget: '1.00' } }
    const read = readAttribution(sent, principal)
    expect(read.named.run).toEqual({ id: 'job-1', budget: 1_000_000_000n, parent: null, rules: null })
    expect(stage({ arrival, principal, named: read.named })).toMatchObject({ attribution: { run: { id: 'r' } } })
    expect(asked).toEqual(['run job-1'])
  })

  it('counts what a request names, each once', () => {
    const { counted, stage } = attributeTo()
    const tags = [
      { name: 'team', value: 'search' },
      { name: 'feature', value: 'rewrite' },
    ]
    const job: NamedRun = { id: 'job-1', budget: null, parent: null, rules: null }
    void stage({ arrival, principal, named: { customer: 'a', tags, run: job } })
    expect(counted).toEqual(['customer', 'tag', 'run'])
    counted.length = 0
    void stage({ arrival, principal, named: { customer: null, tags: [], run: job } })
    expect(counted).toEqual(['run'])
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
