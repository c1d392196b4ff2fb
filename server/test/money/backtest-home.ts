import { breakerOf } from '#domain/access/breaker.ts'
import type { LayerOwner } from '#domain/access/layer-owner.ts'
import type { Principal } from '#domain/access/principal.ts'
import type { ProposedControls } from '#domain/limits/replay.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import type { TestAccounts } from '#test/setup/accounts.ts'

interface HomePayer {
  readonly walletId: Uuid
  readonly organizationId: Uuid
  readonly keyId: Uuid
  readonly userId: null
  readonly memberId: Uuid
  readonly teamId?: Uuid
}

/** An organization with enough credit, two members of one team, one of another, and one of none. */
export interface Home {
  readonly organizationId: Uuid
  readonly walletId: Uuid
  /** The team of the first two. */
  readonly teamId: Uuid
  readonly payers: readonly [HomePayer, ...HomePayer[]]
}

export async function newHome(accounts: TestAccounts): Promise<Home> {
  const { id: organizationId, walletId } = await accounts.createOrganization({ usd: '1' })
  const { teamId } = await accounts.addTeam(organizationId)
  const { teamId: otherTeamId } = await accounts.addTeam(organizationId)
  const payerIn = async (team: { teamId?: Uuid }): Promise<HomePayer> => {
    const { memberId } = await accounts.addMember(organizationId, team)
    return { walletId, organizationId, keyId: newUuid(Date.now()), userId: null, memberId, ...team }
  }
  const first = await payerIn({ teamId })
  const others = [await payerIn({ teamId }), await payerIn({ teamId: otherTeamId }), await payerIn({})]
  return { organizationId, walletId, teamId, payers: [first, ...others] }
}

/** The principal of a payer's key while an owner has these controls. */
export function principalIn(
  home: Home,
  { memberId, teamId, keyId }: HomePayer,
  on: { readonly owner: LayerOwner; readonly controls: ProposedControls } | null,
): Principal {
  const { organizationId, walletId } = home
  const of = (kind: LayerOwner['kind'], id: Uuid | undefined) =>
    on !== null && on.owner.kind === kind && on.owner.id === id ? on.controls : null
  const [organization, team, member] = [of('organization', organizationId), of('team', teamId), of('member', memberId)]
  const allowedModels = [organization, team, member].map((one) => one?.allowedModels ?? [])
  return makePrincipal({
    keyId,
    userId: null,
    organizationId,
    memberId,
    teamId: teamId ?? null,
    walletId,
    organization: {
      billing: 'prepaid',
      overdueInvoice: null,
      budgets: {
        organizationWeek: organization?.weeklyBudget ?? null,
        organizationMonth: organization?.monthlyBudget ?? null,
        teamMonth: team?.monthlyBudget ?? null,
        memberMonth: member?.monthlyBudget ?? null,
      },
      breakers: {
        organization: breakerIn(organization),
        team: breakerIn(team),
        member: breakerIn(member),
      },
      // An empty list allows every model, so the store leaves it out.
      allowedModels: allowedModels.filter((patterns) => patterns.length > 0),
    },
  })
}

/** An amount that is not set is the default of several dollars, which no month of the test reaches. */
function breakerIn(controls: ProposedControls | null) {
  if (controls === null) return null
  const { minute, hour } = controls.breaker
  return breakerOf([{ enabled: minute !== null || hour !== null, minute, hour }])
}
