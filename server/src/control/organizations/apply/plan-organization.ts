import { isDeepStrictEqual } from 'node:util'
import { formatUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { judgeBilling, type Organization } from '#domain/organizations/organization.ts'
import type { Team } from '#domain/organizations/team.ts'
import { malformed } from '#errors/malformed.ts'
import type { StoredFilterRule } from '#ports/organization-rules.ts'
import type { OrganizationChange } from '../change-organization.ts'
import type { NewOrganizationInput } from '../create-organization.ts'
import type { TeamChange } from '../organization-bodies.ts'
import type { WantedFilter, WantedOrganization, WantedTeam, WantedTerms } from './parse-org-file.ts'

/** The current organization, as far as the file covers it. */
/** The organization's own fields that a file can set. */
type Terms = Pick<Organization, keyof WantedTerms>

export interface CurrentOrganization {
  readonly organization: Terms
  readonly allowedModels: readonly string[]
  readonly teams: readonly { readonly team: Team; readonly allowedModels: readonly string[] }[]
  readonly rules: readonly StoredFilterRule[]
}

/** One call of a control function. Teams and rules are named, because a new one has no id yet. */
export type PlannedChange = { readonly text: string } & (
  | { readonly kind: 'create-organization'; readonly input: NewOrganizationInput }
  | { readonly kind: 'change-organization'; readonly change: OrganizationChange }
  | { readonly kind: 'models'; readonly team: string | null; readonly patterns: readonly string[] }
  | { readonly kind: 'create-team'; readonly wanted: WantedTeam }
  | { readonly kind: 'change-team'; readonly team: string; readonly change: TeamChange }
  | { readonly kind: 'delete-team'; readonly team: string }
  | { readonly kind: 'create-filter'; readonly filter: WantedFilter }
  | { readonly kind: 'change-filter'; readonly filter: WantedFilter }
  | { readonly kind: 'delete-filter'; readonly name: string }
)

/**
 * The changes that make an organization match the file, empty if it does. Objects that the file does not name are left
 * alone, or deleted with `prune`.
 */
export function planOrganization(
  wanted: WantedOrganization,
  current: CurrentOrganization | null,
  { prune }: { prune: boolean },
): PlannedChange[] {
  const { slug } = wanted
  const start = current ?? emptyOf(wanted)
  return [
    ...(current === null ? [planNew(wanted)] : []),
    ...planTerms(wanted, start.organization),
    ...planModels({ of: slug, team: null }, wanted.allowedModels, start.allowedModels),
    ...wanted.teams.flatMap((team) => planTeam(slug, team, start.teams)),
    ...planFilters(slug, wanted.filters, start.rules),
    ...(prune ? planRemovals(wanted, start) : []),
  ]
}

/** A new organization as `createOrganization` creates it. */
function emptyOf({ slug, terms }: WantedOrganization): CurrentOrganization {
  const { name = slug, plan = 'standard', billing = 'prepaid', creditLine = zeroUsd, seats = null } = terms
  const organization: Terms = {
    name,
    plan,
    billing,
    creditLine,
    seats,
    weeklyBudget: null,
    monthlyBudget: null,
  }
  return { organization, allowedModels: [], teams: [], rules: [] }
}

function planNew(wanted: WantedOrganization): PlannedChange {
  const { slug, line, admin, terms } = wanted
  const { name } = terms
  if (name === undefined || admin === null) {
    throw malformed(`line ${line}: organization ${slug} is new, so the file must set its name and admin.`)
  }
  const { plan, billing, creditLine, seats } = emptyOf(wanted).organization
  return {
    kind: 'create-organization',
    text: `+ organization ${slug}: ${name}, admin ${admin}`,
    input: { name, slug, admin, plan, billing, creditLine, seats },
  }
}

function planTerms({ slug, line, terms }: WantedOrganization, organization: Terms): PlannedChange[] {
  const verdict = judgeBilling({ ...organization, ...terms })
  if (!verdict.allowed) throw malformed(`line ${line}: ${verdict.message}`)
  const names = (Object.keys(terms) as (keyof WantedTerms)[]).filter((name) => terms[name] !== organization[name])
  if (names.length === 0) return []
  const change = Object.fromEntries(names.map((name) => [name, terms[name]]))
  const told = names.map((name) => `${name} ${shown(organization[name])} → ${shown(terms[name])}`)
  return [{ kind: 'change-organization', text: `~ organization ${slug}: ${told.join(', ')}`, change }]
}

function planModels(
  { of, team }: { of: string; team: string | null },
  wanted: readonly string[] | null,
  current: readonly string[],
): PlannedChange[] {
  if (wanted === null || isDeepStrictEqual(wanted.toSorted(), current.toSorted())) return []
  const whose = team === null ? `organization ${of}` : `team ${team} of ${of}`
  const text = `~ ${whose}: allowedModels ${listed(current)} → ${listed(wanted)}`
  return [{ kind: 'models', text, team, patterns: wanted }]
}

function planTeam(slug: string, wanted: WantedTeam, teams: CurrentOrganization['teams']): PlannedChange[] {
  const found = teams.find(({ team }) => isSameName(team.name, wanted.name))
  const models = planModels({ of: slug, team: wanted.name }, wanted.allowedModels, found?.allowedModels ?? [])
  if (found === undefined) {
    const { name: _name, ...others } = wanted.terms
    const told = Object.entries(others).map(([field, value]) => `, ${field} ${shown(value)}`)
    return [{ kind: 'create-team', text: `+ team ${wanted.name} of ${slug}${told.join('')}`, wanted }, ...models]
  }
  const { team } = found
  const names = (Object.keys(wanted.terms) as (keyof TeamChange)[]).filter((name) => wanted.terms[name] !== team[name])
  if (names.length === 0) return models
  const change = Object.fromEntries(names.map((name) => [name, wanted.terms[name]]))
  const told = names.map((name) => `${name} ${shown(team[name])} → ${shown(wanted.terms[name])}`)
  const text = `~ team ${team.name} of ${slug}: ${told.join(', ')}`
  return [{ kind: 'change-team', text, team: team.name, change }, ...models]
}

function planFilters(
  slug: string,
  filters: readonly WantedFilter[],
  rules: readonly StoredFilterRule[],
): PlannedChange[] {
  return filters.flatMap((filter): PlannedChange[] => {
    const rule = rules.find(({ name }) => name === filter.name)
    const told = `content filter ${filter.name} of ${slug}`
    if (rule === undefined) return [{ kind: 'create-filter', text: `+ ${told}: ${filter.action}`, filter }]
    const { id: _id, createdAtMs: _created, updatedAtMs: _updated, ...terms } = rule
    if (isDeepStrictEqual(terms, filter)) return []
    const names = (Object.keys(filter) as (keyof WantedFilter)[]).filter(
      (name) => !isDeepStrictEqual(terms[name], filter[name]),
    )
    return [{ kind: 'change-filter', text: `~ ${told}: ${names.join(', ')}`, filter }]
  })
}

function planRemovals({ slug, teams, filters }: WantedOrganization, current: CurrentOrganization): PlannedChange[] {
  const goneTeams = current.teams.filter(({ team }) => !teams.some(({ name }) => isSameName(name, team.name)))
  const goneRules = current.rules.filter((rule) => !filters.some(({ name }) => name === rule.name))
  return [
    ...goneTeams.map(({ team: { name } }): PlannedChange => {
      return { kind: 'delete-team', text: `- team ${name} of ${slug}, and its keys`, team: name }
    }),
    ...goneRules.map(({ name }): PlannedChange => {
      return { kind: 'delete-filter', text: `- content filter ${name} of ${slug}`, name }
    }),
  ]
}

/** Team names are unique case-insensitively. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function shown(value: unknown): string {
  if (typeof value === 'bigint') return `${formatUsd(nanoUsd(value))} USD`
  return value === null || value === undefined ? 'none' : String(value)
}

function listed(patterns: readonly string[]): string {
  return patterns.length === 0 ? 'all' : patterns.join(' ')
}
