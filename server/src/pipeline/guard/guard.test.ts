import { describe, expect, it } from 'vitest'
import type { OrganizationTerms, Principal } from '#domain/access/principal.ts'
import type { Wanted } from '#domain/routing/wanted.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid } from '#lib/uuid.ts'
import type { QuotaVerdict } from '#ports/institutions.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket, wantedModel } from '#test/streams/test-ticket.ts'
import { createGuard } from './guard.ts'

const session = { id: newUuid(1), personId: 'person', spendQuota: null, personMonthQuota: null, hasCountedQuota: true }

/** Starts a guard whose filter replaces the request. `done` lists the steps in the order they ran. */
function startGuard({ blocked = false, quota = { allowed: true } as QuotaVerdict } = {}) {
  const done: string[] = []
  const { arrival, plan } = testTicket()
  const filtered = { ...plan.call, modelName: 'filtered' }
  const guard = createGuard({
    sessionQuotas: {
      takeRequest: async (id) => {
        done.push(`counted ${id}`)
        return quota
      },
    },
    filterContent: async () => {
      done.push('filtered')
      return filtered
    },
    moderateContent: async (_request, call) => {
      done.push(`moderated ${call.modelName}`)
      if (blocked) throw new GatewayError('contentFilter', { message: 'no' })
    },
  })
  const ask = async (principal: Partial<Principal>, wanted: Wanted = wantedModel) =>
    guard({ arrival, principal: makePrincipal(principal), call: plan.call, wanted })
  return { ask, done, filtered, call: plan.call }
}

describe('the checks of a request', () => {
  it('[FILTER-09] a personal key: its text is moderated as it came, and nothing is filtered or counted', async () => {
    const { ask, done, call } = startGuard()
    const passed = await ask({})
    expect(passed.call).toBe(call)
    expect(passed.wanted).toBe(wantedModel)
    expect(done).toEqual(['moderated acme/model'])
  })

  it("an organization's key: what its filters leave is moderated and goes on", async () => {
    const { ask, done, filtered } = startGuard()
    expect((await ask({ organizationId: newUuid(2) })).call).toBe(filtered)
    expect(done).toEqual(['filtered', 'moderated filtered'])
  })

  it("an institution's session is counted last", async () => {
    const { ask, done } = startGuard()
    await ask({ organizationId: newUuid(2), institutionSession: session })
    expect(done).toEqual(['filtered', 'moderated filtered', `counted ${session.id}`])
  })

  it('what is refused for its content uses up nothing', async () => {
    const { ask, done } = startGuard({ blocked: true })
    await expect(ask({ institutionSession: session })).rejects.toMatchObject({ errorName: 'contentFilter' })
    expect(done).toEqual(['moderated acme/model'])
  })

  it('a session without a counted quota is not counted', async () => {
    const { ask, done } = startGuard()
    await ask({ institutionSession: { ...session, hasCountedQuota: false } })
    expect(done).toEqual(['moderated acme/model'])
  })

  it.each(['requests', 'tokens'] as const)('a session that has used up its %s is refused', async (quota) => {
    const { ask } = startGuard({ quota: { allowed: false, quota } })
    await expect(ask({ institutionSession: session })).rejects.toMatchObject({
      errorName: 'sessionQuotaUsed',
      message: `This session's quota of ${quota} is used up. Verify again to start a new session.`,
    })
  })
})

function allowing(...allowedModels: string[][]): Partial<Principal> {
  const organization: OrganizationTerms = {
    billing: 'prepaid',
    overdueInvoice: null,
    budgets: { organizationWeek: null, organizationMonth: null, teamMonth: null, memberMonth: null },
    breakers: { organization: null, team: null, member: null },
    allowedModels,
  }
  return { organization, organizationId: newUuid(2) }
}

describe('the models that an organization allows', () => {
  const [model] = wantedModel.models
  const named = (id: string) => (model === undefined ? [] : [{ ...model, id }])
  const wanted: Wanted = {
    ...wantedModel,
    models: [...named('acme/one'), ...named('acme/two'), ...named('other/three')],
    excluded: [{ model: 'acme/old', provider: null, rule: 'retired' }],
  }

  it('are all of them where nothing is said', async () => {
    expect((await startGuard().ask(allowing(), wanted)).wanted).toBe(wanted)
  })

  it('are kept in their order, and the others are named in the explanation', async () => {
    const passed = await startGuard().ask(allowing(['other/*', 'acme/one']), wanted)
    expect(passed.wanted).toEqual({
      ...wanted,
      models: [...named('acme/one'), ...named('other/three')],
      excluded: [
        { model: 'acme/old', provider: null, rule: 'retired' },
        { model: 'acme/two', provider: null, rule: 'not_allowed' },
      ],
    })
  })

  it('must be at least one: otherwise the request is refused before its text is looked at', async () => {
    const { ask, done } = startGuard()
    await expect(ask(allowing(['none/*']), wanted)).rejects.toMatchObject({
      errorName: 'modelNotAllowed',
      message: 'Your organization does not allow "acme/one", "acme/two", "other/three".',
    })
    expect(done).toEqual([])
  })
})
