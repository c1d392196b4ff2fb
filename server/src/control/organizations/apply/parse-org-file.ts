import { parseAllowedModels } from '#domain/access/parse-allowed-models.ts'
import { type FilterRuleTerms, parseFilterRule } from '#domain/filters/parse-filter-rule.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import { billingModes } from '#domain/organizations/organization.ts'
import { isSlug } from '#domain/organizations/slug.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { readBudgetField, readNameField } from '../../read-fields.ts'
import type { OrganizationChange } from '../change-organization.ts'
import { assertSeats, parseNewTeam, type TeamChange } from '../organization-bodies.ts'
import { type Lined, type Part, partAt } from './lined.ts'

/** The desired organization. Fields that the file omits stay unchanged. */
export interface WantedOrganization {
  readonly slug: string
  readonly line: number
  /** The first administrator, for a new organization. */
  readonly admin: string | null
  readonly terms: WantedTerms
  readonly allowedModels: readonly string[] | null
  readonly teams: readonly WantedTeam[]
  readonly filters: readonly WantedFilter[]
}

export type WantedTerms = Pick<
  OrganizationChange,
  'name' | 'plan' | 'billing' | 'creditLine' | 'seats' | 'weeklyBudget' | 'monthlyBudget'
>

export interface WantedTeam {
  readonly name: string
  readonly terms: TeamChange
  readonly allowedModels: readonly string[] | null
}

export type WantedFilter = FilterRuleTerms

const fields = {
  file: ['organizations'],
  organization: [
    'slug',
    'name',
    'admin',
    'plan',
    'billing',
    'creditLine',
    'seats',
    'weeklyBudget',
    'monthlyBudget',
    'allowedModels',
    'teams',
    'contentFilters',
  ],
  team: ['name', 'description', 'costCenterCode', 'permissionScope', 'monthlyBudget', 'allowedModels'],
  filter: ['name', 'action', 'matcher', 'enabled'],
} as const

/** Parses the file. The first mistake rejects the whole file, with its line number. */
export function parseOrgFile(file: Lined): WantedOrganization[] {
  const wanted = partAt(file, [], fields.file).parts('organizations', fields.organization).map(parseOrganization)
  refuseTwice(wanted.map(({ slug, line }) => ({ name: slug, line })))
  return wanted
}

function parseOrganization(part: Part): WantedOrganization {
  const { body, line } = part
  const slug = part.read('slug', () => readSlug(body))
  const teams = part.parts('teams', fields.team)
  const filters = part.parts('contentFilters', fields.filter)
  const wanted = {
    slug,
    line,
    admin: part.read('admin', () => readNameField(body, 'admin', 254)) ?? null,
    terms: parseTerms(part),
    allowedModels: parseModels(part),
    teams: teams.map(parseTeam),
    filters: filters.map(parseFilter),
  }
  refuseTwice(wanted.teams.map(({ name }, at) => ({ name: name.toLowerCase(), line: teams[at]?.line ?? line })))
  refuseTwice(wanted.filters.map(({ name }, at) => ({ name, line: filters[at]?.line ?? line })))
  return wanted
}

function readSlug({ slug }: JsonObject): string {
  if (typeof slug === 'string' && isSlug(slug)) return slug
  throw malformed('an organization needs a slug made of a-z, 0-9 and dashes.')
}

function parseTerms(part: Part): WantedTerms {
  const { body } = part
  const name = part.read('name', () => readNameField(body, 'name', 100))
  const plan = part.read('plan', () => readNameField(body, 'plan', 100))
  const weeklyBudget = part.read('weeklyBudget', () => readBudgetField(body, 'weeklyBudget'))
  const monthlyBudget = part.read('monthlyBudget', () => readBudgetField(body, 'monthlyBudget'))
  const seats = part.read('seats', () => readSeats(body))
  return {
    ...(name === undefined ? {} : { name }),
    ...(plan === undefined ? {} : { plan }),
    ...(weeklyBudget === undefined ? {} : { weeklyBudget }),
    ...(monthlyBudget === undefined ? {} : { monthlyBudget }),
    ...(seats === undefined ? {} : { seats }),
    ...parseBilling(part),
  }
}

function readSeats({ seats }: JsonObject): number | null | undefined {
  if (seats === undefined || seats === null) return seats
  if (typeof seats !== 'number') throw malformed('seats must be an integer, or null for unlimited.')
  assertSeats(seats)
  return seats
}

/** Prepaid has no credit line, so the file need not state it. */
function parseBilling(part: Part): Pick<WantedTerms, 'billing' | 'creditLine'> {
  const { body } = part
  const creditLine = part.read('creditLine', () => readBudgetField(body, 'creditLine'))
  const billing = part.read('billing', () => {
    const mode = billingModes.find((each) => each === body['billing'])
    if (body['billing'] === undefined || mode !== undefined) return mode
    throw malformed(`billing must be one of ${billingModes.join(', ')}.`)
  })
  const line = creditLine ?? (billing === 'prepaid' ? zeroUsd : undefined)
  return { ...(billing === undefined ? {} : { billing }), ...(line === undefined ? {} : { creditLine: line }) }
}

function parseTeam(part: Part): WantedTeam {
  const { allowedModels: _models, ...body } = part.body
  const whole = part.read('name', () => parseNewTeam(body))
  const terms = Object.fromEntries(Object.entries(whole).filter(([field]) => body[field] !== undefined))
  return { name: whole.name, terms, allowedModels: parseModels(part) }
}

function parseModels(part: Part): readonly string[] | null {
  const { allowedModels } = part.body
  if (allowedModels === undefined) return null
  return part.read('allowedModels', () => {
    const parsed = parseAllowedModels(allowedModels)
    if (!parsed.accepted) throw malformed(parsed.problem)
    return parsed.patterns
  })
}

/** Rules apply in the order of the file. */
function parseFilter(part: Part, position: number): WantedFilter {
  return part.read('matcher', () => {
    const parsed = parseFilterRule(part.body)
    if (!parsed.accepted) throw malformed(parsed.problem)
    const { name, action, matcher, enabled = true } = parsed.value
    if (name === undefined || action === undefined || matcher === undefined) {
      throw malformed('a content filter needs a name, an action and a matcher.')
    }
    return { name, action, matcher, enabled, position }
  })
}

function refuseTwice(named: readonly { name: string; line: number }[]): void {
  const seen = new Set<string>()
  for (const { name, line } of named) {
    if (seen.has(name)) throw malformed(`line ${line}: duplicate ${name}.`)
    seen.add(name)
  }
}
