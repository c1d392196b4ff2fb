import { isRole, type Role, roles } from '#domain/access/roles.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { memberKeysLimit, membersMax, organizationDefaultRoles } from '#domain/organizations/organization.ts'
import { plainTeam, type Team, teamDefaultRoles, type TeamField } from '#domain/organizations/team.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { parseFlag, readBudgetField, readField, readNameField, readNoteField, readTtlField } from '../read-fields.ts'
import type { OrganizationChange } from './change-organization.ts'

const nameLengthMax = 100

/** Parses the fields that an administrator may change; only the operator changes plan, seats and billing. */
export function parseOrganizationChange(body: JsonObject): OrganizationChange {
  const name = readNameField(body, 'name', nameLengthMax)
  const settings = readSettingsField(body)
  const cacheTtlSeconds = readTtlField(body, { least: 1 })
  const weeklyBudget = readBudgetField(body, 'weeklyBudget')
  const monthlyBudget = readBudgetField(body, 'monthlyBudget')
  const memberKeysMax = readMemberKeysField(body)
  const defaultRole = readDefaultRoleField(body, organizationDefaultRoles)
  const defaultMonthlyBudget = readBudgetField(body, 'defaultMonthlyBudget')
  const change: OrganizationChange = {
    ...(name === undefined ? {} : { name }),
    ...(settings === undefined ? {} : { settings }),
    ...(cacheTtlSeconds === undefined ? {} : { cacheTtlSeconds }),
    ...(weeklyBudget === undefined ? {} : { weeklyBudget }),
    ...(monthlyBudget === undefined ? {} : { monthlyBudget }),
    ...(memberKeysMax === undefined ? {} : { memberKeysMax }),
    ...(defaultRole === undefined ? {} : { defaultRole }),
    ...(defaultMonthlyBudget === undefined ? {} : { defaultMonthlyBudget }),
  }
  if (Object.keys(change).length === 0) {
    throw malformed('Send at least one field to change, such as name, settings or monthlyBudget.')
  }
  return change
}

/** How many API keys each member may create. Undefined if missing. */
function readMemberKeysField({ memberKeysMax: most }: JsonObject): number | undefined {
  if (most === undefined) return undefined
  if (typeof most === 'number' && Number.isInteger(most) && most >= 0 && most <= memberKeysLimit) return most
  throw malformed(`memberKeysMax must be an integer from 0 to ${memberKeysLimit}.`)
}

/** The role of new members. Undefined if missing. */
function readDefaultRoleField<Given extends Role>(
  { defaultRole }: JsonObject,
  given: readonly Given[],
): Given | undefined {
  if (defaultRole === undefined) return undefined
  const role = given.find((each) => each === defaultRole)
  if (role === undefined) throw malformed(`defaultRole must be one of ${given.join(', ')}.`)
  return role
}

const settingsBytesMax = 8_192

/**
 * Custom settings for an organization's own programs and pages: any JSON object of at most 8 KB. Undefined if missing.
 */
function readSettingsField(body: JsonObject): JsonObject | undefined {
  const { settings } = body
  if (settings === undefined) return undefined
  if (!isJsonObject(settings)) throw malformed('settings must be an object.')
  if (Buffer.byteLength(JSON.stringify(settings)) > settingsBytesMax) {
    throw malformed(`settings must be at most ${settingsBytesMax} bytes of JSON.`)
  }
  if (!isStorable(settings)) throw malformed('settings must not contain NUL characters or invalid Unicode.')
  return settings
}

// Postgres rejects these strings in JSON. Bodies are nested 64 levels at most, so the recursion is bounded.
function isStorable(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (Array.isArray(value)) return value.every(isStorable)
  if (!isJsonObject(value)) return true
  return Object.entries(value).every(([name, entry]) => isStorable(name) && isStorable(entry))
}

/** Rejects an invalid number of seats. Null means no limit besides the platform maximum. */
export function assertSeats(seats: number | null): void {
  if (seats === null || (Number.isInteger(seats) && seats > 0 && seats <= membersMax)) return
  throw malformed(`seats must be an integer from 1 to ${membersMax}.`)
}

export type TeamTerms = Pick<Team, TeamField>
export type TeamChange = Partial<TeamTerms>

const lengths = { name: 100, description: 1_000, costCenterCode: 100, permissionScope: 200 }

/** Parses a new team. All fields but the name are optional. */
export function parseNewTeam(body: JsonObject): TeamTerms {
  const { name, ...others } = parseTeamFields(body)
  if (name === undefined) throw new GatewayError('missingRequiredField', { message: 'A team needs a name.' })
  return { ...plainTeam, ...others, name }
}

export function parseTeamChange(body: JsonObject): TeamChange {
  const change = parseTeamFields(body)
  if (Object.keys(change).length === 0) {
    throw malformed('Send at least one field to change, such as name, description or monthlyBudget.')
  }
  return change
}

function parseTeamFields(body: JsonObject): TeamChange {
  const name = readNameField(body, 'name', lengths.name)
  const description = readNoteField(body, 'description', lengths.description)
  const costCenterCode = readNoteField(body, 'costCenterCode', lengths.costCenterCode)
  const permissionScope = readNoteField(body, 'permissionScope', lengths.permissionScope)
  const monthlyBudget = readBudgetField(body, 'monthlyBudget')
  const defaultRole = body['defaultRole'] === null ? null : readDefaultRoleField(body, teamDefaultRoles)
  const defaultMonthlyBudget = readBudgetField(body, 'defaultMonthlyBudget')
  const memberKeysMax = body['memberKeysMax'] === null ? null : readMemberKeysField(body)
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(costCenterCode === undefined ? {} : { costCenterCode }),
    ...(permissionScope === undefined ? {} : { permissionScope }),
    ...(monthlyBudget === undefined ? {} : { monthlyBudget }),
    ...(defaultRole === undefined ? {} : { defaultRole }),
    ...(defaultMonthlyBudget === undefined ? {} : { defaultMonthlyBudget }),
    ...(memberKeysMax === undefined ? {} : { memberKeysMax }),
  }
}

export interface NewMemberTerms {
  email: string
  /** Undefined fields get the defaults of the team or the organization. */
  role: Role | undefined
  teamId: string | null | undefined
  monthlyBudget: NanoUsd | null | undefined
}

export interface MemberChange {
  role?: Role
  /** Not yet checked: it may not be an id, or not a team of the organization. */
  teamId?: string | null
  monthlyBudget?: NanoUsd | null
  suspended?: boolean
}

export function parseNewMember(body: JsonObject): NewMemberTerms {
  const { email } = body
  if (typeof email !== 'string' || email.trim() === '') {
    throw new GatewayError('missingRequiredField', {
      message: 'email is required and must belong to an existing user.',
    })
  }
  const { role, teamId, monthlyBudget } = parseMemberFields(body)
  if (role === 'team_admin' && (teamId === undefined || teamId === null)) {
    throw malformed('teamId is required for the role team_admin.')
  }
  return { email: email.trim(), role, teamId, monthlyBudget }
}

export function parseMemberChange(body: JsonObject): MemberChange {
  const suspended = readField(body, { suspended: parseFlag })
  const change = { ...parseMemberFields(body), ...(suspended === undefined ? {} : { suspended }) }
  if (Object.keys(change).length === 0) {
    throw malformed('Send at least one of role, teamId, monthlyBudget and suspended.')
  }
  return change
}

export function parseMemberFields(body: JsonObject): MemberChange {
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
  throw malformed('teamId must be a team id or null.')
}
