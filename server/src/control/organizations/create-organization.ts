import { type AuditStamp, operatorActor } from '#domain/audit/audit-entry.ts'
import { type Member, memberValues } from '#domain/organizations/member.ts'
import { judgeBilling, type Organization, organizationValues } from '#domain/organizations/organization.ts'
import { isSlug, slugOf } from '#domain/organizations/slug.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Organizations } from '#ports/organizations.ts'
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

/** An organization always has a wallet, which pays for its keys, and an administrator. */
export async function createOrganization(
  deps: { organizations: Organizations; users: Users },
  input: NewOrganizationInput,
  nowMs: number,
): Promise<CreatedOrganization> {
  const organization = organizationOf(input, nowMs)
  const user = await readUser(deps.users, input.admin)
  const walletId = newUuid(nowMs)
  const admin: Member = {
    id: newUuid(nowMs),
    userId: user.id,
    role: 'org_admin',
    teamId: null,
    monthlyBudget: null,
    suspended: false,
  }
  const stamp: AuditStamp = { chainId: organization.id, actor: operatorActor, requestId: null }
  const made = await deps.organizations.create({ organization, walletId, admin }, [
    {
      ...stamp,
      action: 'org.create',
      target: { kind: 'organization', id: organization.id },
      after: organizationValues(organization),
    },
    { ...stamp, action: 'org_member.add', target: { kind: 'member', id: admin.id }, after: memberValues(admin) },
  ])
  if (!made) {
    const message = `An organization with the slug ${organization.slug} already exists. Choose another slug.`
    throw new GatewayError('conflict', { message })
  }
  return { id: organization.id, slug: organization.slug, walletId, memberId: admin.id }
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
    suspended: false,
    weeklyBudget: null,
    monthlyBudget: null,
    memberKeysMax: 0,
    createdAtMs: nowMs,
  }
}
