import { creditWallet } from '#control/wallets/credit-wallet.ts'
import { addProviderAccount, type ProviderAccountInput } from '#control/operators/add-provider-account.ts'
import { createUser } from '#control/operators/create-user.ts'
import { operatorAuthor, platformEntry } from '#control/operators/platform-entry.ts'
import type { VendorTerms } from '#control/operators/vendor-terms.ts'
import { createOrganization } from '#control/organizations/create-organization.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { SealingKey } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { Wallets } from '#ports/ledger.ts'
import type { Operators } from '#ports/operators.ts'
import type { Organizations } from '#ports/organizations.ts'
import type { FirstRun, PersonAccounts, Users } from '#ports/people.ts'

export interface SetUpDeps {
  readonly firstRun: FirstRun
  readonly users: Users
  readonly accounts: PersonAccounts
  readonly organizations: Organizations
  readonly wallets: Wallets
  readonly operators: Operators
  readonly sealingKey: SealingKey
  readonly vendors: readonly VendorTerms[]
  readonly announce: Announce
}

export interface SetUpInput {
  readonly email: string
  readonly password: string
  readonly name: string
  /** The name of a first organization, which this person administers. */
  readonly organization: string | null
  /** Starting credit for the organization if there is one, otherwise for the person. */
  readonly credit: NanoUsd | null
  readonly provider: Pick<ProviderAccountInput, 'vendor' | 'credential' | 'baseUrl'> | null
}

interface SetUp {
  readonly userId: Uuid
  readonly organizationId: Uuid | null
}

const passwordLength = { least: 10, most: 128 }

/**
 * Creates the first person of an installation, with everything needed for a first request. Rejects if an account
 * exists.
 */
export async function setUp(deps: SetUpDeps, input: SetUpInput, nowMs: number): Promise<SetUp> {
  const { least, most } = passwordLength
  if (input.password.length < least || input.password.length > most) {
    throw malformed(`The password must be ${least} to ${most} characters long.`)
  }
  const made = await deps.firstRun.once(async () => {
    const author = operatorAuthor(nowMs)
    // The provider comes first, so that a mistyped vendor leaves the installation unchanged.
    if (input.provider !== null) await addProviderAccount(deps, input.provider, author)
    const user = await createUser(deps.users, input, nowMs)
    const entry = platformEntry(author, { action: 'user.password.set', target: { kind: 'user', id: user.id } })
    await deps.accounts.setPassword(user.id, { password: input.password, dropSecondFactor: false }, entry)
    const organization = input.organization === null ? null : await makeOrganization(deps, input.organization, user.id)
    if (input.credit !== null) {
      const reference = organization?.walletId ?? user.walletId
      await creditWallet(deps, { reference, amount: input.credit, source: 'grant', note: 'first run' }, author)
    }
    return { userId: user.id, organizationId: organization?.id ?? null }
  })
  if (made === null) {
    throw new GatewayError('conflict', { message: 'This installation already has an account. Sign in with it.' })
  }
  return made

  function makeOrganization({ organizations, users }: SetUpDeps, name: string, admin: Uuid) {
    const terms = { name, slug: null, admin, plan: 'standard', seats: null } as const
    return createOrganization(
      { organizations, users },
      { ...terms, billing: 'prepaid', creditLine: zeroUsd },
      operatorAuthor(nowMs),
    )
  }
}
