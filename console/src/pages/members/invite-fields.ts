import type { NewInvitations } from '../../api/invitations.ts'
import { type MemberFields, termsOf } from './member-fields.ts'
import { parseAddresses } from './parse-addresses.ts'

/** The values of the form, as strings. */
export interface RecipientFields {
  readonly way: 'email' | 'link'
  readonly addresses: string
  readonly usesMax: string
  readonly domain: string
  readonly days: string
}

export type InviteFields = MemberFields & RecipientFields

/** A team admin invites to the own team, and an empty budget then means the default, which they cannot read. */
export function inviteBodyOf(fields: InviteFields, { isTeamAdmin }: { readonly isTeamAdmin: boolean }): NewInvitations {
  const { teamId, monthlyBudget, role } = termsOf(fields)
  const terms = {
    role,
    expiresInDays: Number(fields.days),
    ...(isTeamAdmin ? {} : { teamId }),
    ...(isTeamAdmin && monthlyBudget === null ? {} : { monthlyBudget }),
  }
  if (fields.way === 'email') return { ...terms, emails: parseAddresses(fields.addresses) }
  return {
    ...terms,
    usesMax: Number(fields.usesMax),
    domain: fields.domain.trim() === '' ? null : fields.domain.trim(),
  }
}
