import { isRole, type Role, roles } from '#domain/access/roles.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { readBudgetField } from '../read-fields.ts'

export interface NewMemberTerms {
  email: string
  role: Role
  /** Undefined: nothing was said about a team. */
  teamId: string | null | undefined
  monthlyBudget: NanoUsd | null
}

export interface MemberChange {
  role?: Role
  /** Not yet known to be a team of the organization, nor an id at all. */
  teamId?: string | null
  monthlyBudget?: NanoUsd | null
}

export function parseNewMember(body: JsonObject): NewMemberTerms {
  const { email } = body
  if (typeof email !== 'string' || email.trim() === '') {
    throw new GatewayError('missingRequiredField', { message: 'The email of an existing user is required.' })
  }
  const { role = 'member', teamId, monthlyBudget = null } = parseMemberFields(body)
  if (role === 'team_admin' && (teamId === undefined || teamId === null)) {
    throw malformed('A team_admin administers a team: teamId is required.')
  }
  return { email: email.trim(), role, teamId, monthlyBudget }
}

export function parseMemberChange(body: JsonObject): MemberChange {
  const change = parseMemberFields(body)
  if (Object.keys(change).length === 0) throw malformed('Give at least one of role, teamId and monthlyBudget.')
  return change
}

function parseMemberFields(body: JsonObject): MemberChange {
  const role = readRoleField(body)
  const teamId = readTeamField(body)
  const monthlyBudget = readBudgetField(body, 'monthlyBudget')
  return {
    ...(role === undefined ? {} : { role }),
    ...(teamId === undefined ? {} : { teamId }),
    ...(monthlyBudget === undefined ? {} : { monthlyBudget }),
  }
}

function readRoleField({ role }: JsonObject): Role | undefined {
  if (role === undefined || isRole(role)) return role
  throw malformed(`role must be one of ${roles.join(', ')}.`)
}

function readTeamField({ teamId }: JsonObject): string | null | undefined {
  if (teamId === undefined || teamId === null || typeof teamId === 'string') return teamId
  throw malformed('teamId must be the id of a team, or null.')
}
