import { randomBytes } from 'node:crypto'
import type { Actor } from '#domain/audit/audit-entry.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import { type Member, memberValues } from '#domain/organizations/member.ts'
import { judgeBilling, type Organization, organizationValues } from '#domain/organizations/organization.ts'
import { isSlug, slugOf } from '#domain/organizations/slug.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { assert } from '#lib/assert.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { NewOrganization, Organizations } from '#ports/organizations.ts'
import type { Users } from '#ports/people.ts'
import { readUser } from '../operators/create-user.ts'
import { readNameField } from '../read-fields.ts'
import { assertSeats } from './organization-bodies.ts'

export interface NewOrganizationInput extends Pick<Organization, 'name' | 'plan' | 'billing' | 'creditLine' | 'seats'> {
  /** Derived from the name if null. */
  readonly slug: string | null
  /** The first administrator, by id or email address. */
  readonly admin: string
}

interface CreatedOrganization {
  readonly id: Uuid
  readonly slug: string
  readonly walletId: Uuid
  /** The administrator's membership. */
  readonly memberId: Uuid
}

/** An operator creates an organization with its terms. */
export async function createOrganization(
  deps: { organizations: Organizations; users: Users },
  input: NewOrganizationInput,
  { actor, nowMs }: Pick<ChangeAuthor, 'actor' | 'nowMs'>,
): Promise<CreatedOrganization> {
  const organization = organizationOf(input, nowMs)
  const user = await readUser(deps.users, input.admin)
  const author = { actor, requestId: null }
  const made = await insert(deps.organizations, { organization, adminId: user.id, founder: null }, author)
  if (typeof made === 'string') {
    const message = `An organization with the slug ${organization.slug} already exists. Choose another slug.`
    throw new GatewayError('conflict', { message })
  }
  return made
}

/**
 * A person creates an organization that they administer: prepaid, without credit. Its slug ends with random characters,
 * so that trying names does not tell which organizations exist.
 */
export async function foundOrganization(
  deps: { organizations: Organizations; max: number },
  input: { name: string; userId: Uuid },
  author: ChangeAuthor,
): Promise<CreatedOrganization> {
  if (deps.max === 0) {
    const message = "You can't create organizations on this gateway. Ask its operator to create one for you."
    throw new GatewayError('forbidden', { message })
  }
  const name = readNameField({ name: input.name }, 'name', 100) ?? ''
  const terms = { plan: 'standard', billing: 'prepaid', creditLine: zeroUsd, seats: null } as const
  const slug = `${slugOf(name).slice(0, 50) || 'organization'}-${randomBytes(5).toString('hex')}`
  const organization = organizationOf({ ...terms, name, slug, admin: input.userId }, author.nowMs)
  const founder = { userId: input.userId, max: deps.max }
  const made = await insert(deps.organizations, { organization, adminId: input.userId, founder }, author)
  assert(made !== 'slug_taken', 'a slug of 40 random bits is free')
  if (made === 'full') {
    const message = `You have already created ${deps.max} organizations, which is the limit on this gateway.`
    throw new GatewayError('conflict', { message })
  }
  return made
}

/** An organization always has a wallet, which pays for its keys, and an administrator. */
async function insert(
  organizations: Organizations,
  { organization, adminId, founder }: Pick<NewOrganization, 'organization' | 'founder'> & { adminId: Uuid },
  { actor, requestId }: { actor: Actor; requestId: string | null },
): Promise<CreatedOrganization | 'slug_taken' | 'full'> {
  const walletId = newUuid(organization.createdAtMs)
  const admin: Member = {
    id: newUuid(organization.createdAtMs),
    userId: adminId,
    role: 'org_admin',
    teamId: null,
    monthlyBudget: null,
    suspended: false,
  }
  const stamp = { chainId: organization.id, actor, requestId }
  const made = await organizations.create({ organization, walletId, admin, founder }, [
    {
      ...stamp,
      action: 'org.create',
      target: { kind: 'organization', id: organization.id },
      after: organizationValues(organization),
    },
    { ...stamp, action: 'org_member.add', target: { kind: 'member', id: admin.id }, after: memberValues(admin) },
  ])
  return made === 'created' ? { id: organization.id, slug: organization.slug, walletId, memberId: admin.id } : made
}

function organizationOf(input: NewOrganizationInput, nowMs: number): Organization {
  const name = readNameField({ name: input.name }, 'name', 100) ?? ''
  const plan = readNameField({ plan: input.plan }, 'plan', 100) ?? ''
  const slug = input.slug ?? slugOf(name)
  if (!isSlug(slug)) {
    throw malformed(
      `A slug can only contain a-z, 0-9 and dashes, and ${slug === '' ? 'none can be derived from this name' : `${slug} is not valid`}.`,
    )
  }
  const verdict = judgeBilling(input)
  if (!verdict.allowed) throw malformed(verdict.message)
  assertSeats(input.seats)
  return {
    id: newUuid(nowMs),
    name,
    slug,
    plan,
    billing: input.billing,
    creditLine: input.creditLine,
    seats: input.seats,
    settings: {},
    cacheTtlSeconds: null,
    suspended: false,
    weeklyBudget: null,
    monthlyBudget: null,
    memberKeysMax: 0,
    defaultRole: 'member',
    defaultMonthlyBudget: null,
    createdAtMs: nowMs,
  }
}
