import type { Role } from '#domain/access/roles.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { invitationLimits } from '#domain/organizations/invitation.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { isMailAddress } from '#lib/mail-address.ts'
import { createFieldReader, parseTexts, readNameField } from '../../read-fields.ts'
import { parseMemberFields } from '../organization-bodies.ts'

/** What an invitation gives. Undefined fields get the defaults of the team or the organization. */
export interface InvitationTerms {
  readonly role: Role | undefined
  readonly teamId: string | null | undefined
  readonly monthlyBudget: NanoUsd | null | undefined
  readonly lifeMs: number
}

export type NewInvitations = InvitationTerms &
  ({ readonly emails: readonly string[] } | { readonly usesMax: number; readonly domain: string | null })

const dayMs = 86_400_000

/** Parses `emails`, for an invitation to each address, or `usesMax`, for an open link. */
export function parseNewInvitations(body: JsonObject): NewInvitations {
  const { role, teamId, monthlyBudget } = parseMemberFields(body)
  const days = wholeIn(body, 'expiresInDays', invitationLimits.daysMax) ?? invitationLimits.defaultDays
  const terms = { role, teamId, monthlyBudget, lifeMs: days * dayMs }
  const usesMax = wholeIn(body, 'usesMax', invitationLimits.usesMax)
  if (body['emails'] === undefined && usesMax !== undefined) return { ...terms, usesMax, domain: readDomain(body) }
  if (body['emails'] === undefined) {
    throw new GatewayError('missingRequiredField', { message: 'Send emails, or usesMax for an open link.' })
  }
  if (usesMax !== undefined || body['domain'] !== undefined) {
    throw malformed('usesMax and domain are for open links. Send them without emails.')
  }
  return { ...terms, emails: readEmails(body) }
}

function readEmails({ emails }: JsonObject): string[] {
  const given = [...new Set(parseTexts(emails, 'emails').map((email) => email.trim().toLowerCase()))]
  const wrong = given.find((email) => !isMailAddress(email))
  if (wrong !== undefined) throw malformed(`${wrong} is not an email address.`)
  if (given.length === 0 || given.length > invitationLimits.perRequestMax) {
    throw malformed(`emails must contain 1 to ${invitationLimits.perRequestMax} addresses.`)
  }
  return given
}

function readDomain(body: JsonObject): string | null {
  if (body['domain'] === null) return null
  const domain = readNameField(body, 'domain', 253)?.toLowerCase().replace(/^@/, '') ?? null
  if (domain !== null && !isMailAddress(`a@${domain}`)) throw malformed('domain must be a domain such as example.com.')
  return domain
}

function wholeIn(body: JsonObject, field: string, most: number): number | undefined {
  const value = createFieldReader(body).whole(field)
  if (value === undefined || (value >= 1 && value <= most)) return value
  throw malformed(`${field} must be an integer from 1 to ${most}.`)
}

export function parseToken(body: JsonObject): string {
  return createFieldReader(body).requiredText('token')
}
