import type { Actor, AuditStamp } from '#domain/audit/audit-entry.ts'
import { plainTeam } from '#domain/organizations/team.ts'
import { dateOf, startOf } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AllowedModelsStore } from '#ports/organization-rules.ts'
import type { Users } from '#ports/people.ts'
import { changeAllowedModels } from '../../allowed-models/allowed-models.ts'
import { changeFilterRule, deleteFilterRule } from '../../filters/change-filter-rule.ts'
import { createFilterRule } from '../../filters/create-filter-rule.ts'
import { type FilterRuleDeps, refuseMatcher } from '../../filters/filter-rule-deps.ts'
import { changeTeam } from '../change-team.ts'
import type { OrganizationDeps } from '../change-within.ts'
import { createOrganization } from '../create-organization.ts'
import { createTeam } from '../create-team.ts'
import { deleteTeam } from '../delete-team.ts'
import { operateOrganization } from '../operate-organization.ts'
import { readOrganization } from '../read-organizations.ts'
import type { WantedOrganization } from './parse-org-file.ts'
import { type CurrentOrganization, isSameName, planOrganization, type PlannedChange } from './plan-organization.ts'

export interface ApplyDeps extends OrganizationDeps {
  readonly users: Users
  readonly allowedModels: AllowedModelsStore
  readonly filters: Pick<FilterRuleDeps, 'store' | 'engine'>
  readonly nowMs: () => number
  /** Who applies the file. */
  readonly actor: Actor
}

interface OrganizationPlan {
  readonly slug: string
  readonly changes: readonly PlannedChange[]
}

/** Computes the changes. Invalid filter patterns are rejected here, before anything is changed. */
export async function planOrgFile(
  deps: ApplyDeps,
  wanted: readonly WantedOrganization[],
  options: { prune: boolean },
): Promise<OrganizationPlan[]> {
  const plans: OrganizationPlan[] = []
  for (const organization of wanted) {
    const changes = planOrganization(organization, await readCurrent(deps, organization.slug), options)
    for (const change of changes) {
      if (change.kind === 'create-filter' || change.kind === 'change-filter') {
        await refuseMatcher(deps.filters.engine, change.filter.matcher)
      }
    }
    plans.push({ slug: organization.slug, changes })
  }
  return plans
}

async function readCurrent(deps: ApplyDeps, slug: string): Promise<CurrentOrganization | null> {
  const organization = await deps.organizations.find(slug)
  if (organization === null) return null
  const organizationId = organization.id
  const teams = await listTeams(deps, organizationId)
  const lists = await Promise.all([
    deps.allowedModels.find({ kind: 'organization', organizationId }),
    ...teams.map(({ id }) => deps.allowedModels.find({ kind: 'team', organizationId, teamId: id })),
  ])
  return {
    organization,
    allowedModels: lists[0]?.organization ?? [],
    teams: teams.map((team, position) => ({ team, allowedModels: lists[position + 1]?.team ?? [] })),
    rules: await deps.filters.store.list(organizationId),
  }
}

function listTeams({ organizations, nowMs }: ApplyDeps, organizationId: Uuid) {
  return organizations.listTeams({ organizationId, monthStart: dateOf(startOf('month', nowMs())) })
}

/**
 * Applies each change in order, with its audit entry, through the same function as the API. It can be run again after a
 * failure.
 */
export async function applyPlan(deps: ApplyDeps, plans: readonly OrganizationPlan[]): Promise<void> {
  for (const { slug, changes } of plans) {
    for (const change of changes) await applyChange(deps, slug, change)
  }
}

async function applyChange(deps: ApplyDeps, slug: string, change: PlannedChange): Promise<void> {
  if (change.kind === 'create-organization') {
    await createOrganization(deps, change.input, { actor: deps.actor, nowMs: deps.nowMs() })
    return
  }
  if (change.kind === 'change-organization') {
    await operateOrganization(deps, { reference: slug, change: change.change }, { actor: deps.actor, requestId: null })
    return
  }
  const { id: organizationId } = await readOrganization(deps.organizations, slug)
  await changeWithin(
    deps,
    { organizationId, stamp: { chainId: organizationId, actor: deps.actor, requestId: null } },
    change,
  )
}

type InnerChange = Exclude<PlannedChange, { kind: 'create-organization' | 'change-organization' }>

async function changeWithin(
  deps: ApplyDeps,
  { organizationId, stamp }: { organizationId: Uuid; stamp: AuditStamp },
  change: InnerChange,
): Promise<void> {
  const filterDeps = { ...deps.filters, announce: deps.announce }
  const rule = async (name: string): Promise<Uuid> =>
    (await deps.filters.store.list(organizationId)).find((listed) => listed.name === name)?.id ?? ''
  const team = async (name: string): Promise<Uuid> =>
    (await listTeams(deps, organizationId)).find((listed) => isSameName(listed.name, name))?.id ?? ''
  switch (change.kind) {
    case 'models': {
      const owner =
        change.team === null
          ? ({ kind: 'organization', organizationId } as const)
          : ({ kind: 'team', organizationId, teamId: await team(change.team) } as const)
      const modelDeps = { store: deps.allowedModels, announce: deps.announce }
      await changeAllowedModels(modelDeps, { owner, allowedModels: [...change.patterns], stamp })
      return
    }
    case 'create-team': {
      const terms = { ...plainTeam, ...change.wanted.terms, name: change.wanted.name }
      await createTeam(deps, { terms, stamp }, deps.nowMs())
      return
    }
    case 'change-team': {
      const teamId = await team(change.team)
      await changeTeam(deps, { teamId, change: change.change, grant: { reach: 'organization' }, stamp })
      return
    }
    case 'delete-team':
      return deleteTeam(deps, { teamId: await team(change.team), stamp })
    case 'create-filter': {
      const { matcher, ...terms } = change.filter
      const body = { ...terms, matcher: { ...matcher } }
      await createFilterRule(filterDeps, { organizationId, body, stamp, nowMs: deps.nowMs() })
      return
    }
    case 'change-filter': {
      const { matcher, ...terms } = change.filter
      const body = { ...terms, matcher: { ...matcher } }
      await changeFilterRule(filterDeps, { organizationId, ruleId: await rule(terms.name), body, stamp })
      return
    }
    case 'delete-filter':
      return deleteFilterRule(filterDeps, { organizationId, ruleId: await rule(change.name), stamp })
  }
}
