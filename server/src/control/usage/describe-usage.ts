import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Granularity } from '#domain/usage/usage-period.ts'
import type { Tag } from '#domain/tags/tag.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { MemberPerson, UsageDimension, UsageReads, UsageRow, UsageSubjects, UsageSums } from '#ports/usage.ts'
import { addUp, addUpBy, type KeySums, mergeRest, type NamedSums, nameKeys } from './add-up.ts'
import { type AskedFilters, narrowToTag, type OpenedUsage } from './usage-scope.ts'

export interface UsageDescription {
  /** The current balance of the paying wallet. */
  readonly balance: NanoUsd
  readonly totals: UsageSums
  readonly byModel: readonly NamedSums<string>[]
  readonly byKey: readonly KeySums[]
  readonly byApp: readonly NamedSums<string | null>[]
  /** Null if the client may not tell members apart. */
  readonly byMember: readonly MemberSums[] | null
  /** Null if the client may not tell teams apart. */
  readonly byTeam: readonly TeamSums[] | null
  /** Null if no request of the wallet ever had a tag. */
  readonly byTag: readonly TagSums[] | null
  /** By day or hour, and model. */
  readonly series: readonly UsageRow[]
}

export interface MemberSums {
  /** Null for shared keys. */
  readonly memberId: Uuid | null
  /** Null for shared keys, and if the person is no longer stored. */
  readonly person: MemberPerson | null
  readonly sums: UsageSums
}

export interface TeamSums {
  /** Null for usage without a team. */
  readonly teamId: Uuid | null
  /** Null without a team, and if the team was deleted. */
  readonly teamName: string | null
  readonly sums: UsageSums
}

/** Requests with several tags count for each of them, and requests without tags for none. */
export interface TagSums extends Tag {
  readonly sums: UsageSums
}

/** Clients choose the names of their applications, so the number is unbounded. */
const appsMax = 500
const otherApps = '(other)'

/** The usage of a range. Totals and models are sums of the series, so that the three agree to the last digit. */
export async function describeUsage(
  deps: { usage: UsageReads; subjects: UsageSubjects },
  scope: OpenedUsage,
  asked: { range: DayRange; granularity: Granularity; filters: AskedFilters },
): Promise<UsageDescription> {
  const { walletId } = scope
  const filter = await narrowToTag(deps.subjects, scope, asked.filters)
  const sum = (by: readonly UsageDimension[]): Promise<readonly UsageRow[]> | [] =>
    filter === null ? [] : deps.usage.sum({ walletId, range: asked.range, filter, by })
  const [series, models, keys, apps, owners, wallet] = await Promise.all([
    sum([asked.granularity, 'model']),
    // Hourly rows are deleted after their retention, but daily sums are not.
    asked.granularity === 'hour' ? sum(['model']) : null,
    sum(['key']),
    sum(['app']),
    scope.seesTeams ? sum(['member', 'team']) : [],
    deps.subjects.readWallet(walletId),
  ])
  const byKey = addUpBy(keys, ({ key }) => key)
  return {
    balance: wallet.balance,
    totals: addUp(models ?? series),
    byModel: addUpBy(models ?? series, ({ model }) => model),
    byKey: await nameKeys(deps.subjects, walletId, byKey),
    byApp: mergeRest(
      addUpBy(apps, ({ app }) => app),
      appsMax,
      otherApps,
    ),
    byMember: scope.seesMembers ? await sumMembers(deps.subjects, walletId, owners) : null,
    byTeam: scope.seesTeams ? await sumTeams(deps.subjects, walletId, owners) : null,
    byTag: wallet.hasTags ? await sumTags(deps.subjects, walletId, await sum(['tag'])) : null,
    series,
  }
}

async function sumMembers(subjects: UsageSubjects, walletId: Uuid, rows: readonly UsageRow[]): Promise<MemberSums[]> {
  const all = addUpBy(rows, ({ member }) => member)
  const memberIds = all.flatMap(({ name }) => name ?? [])
  const people = memberIds.length === 0 ? new Map<Uuid, never>() : await subjects.readPeople({ walletId, memberIds })
  return all.map(({ name, sums }) => ({
    memberId: name,
    person: name === null ? null : (people.get(name) ?? null),
    sums,
  }))
}

async function sumTeams(subjects: UsageSubjects, walletId: Uuid, rows: readonly UsageRow[]): Promise<TeamSums[]> {
  const all = addUpBy(rows, ({ team }) => team)
  const teamIds = all.flatMap(({ name }) => name ?? [])
  const names = teamIds.length === 0 ? new Map<Uuid, string>() : await subjects.readTeamNames({ walletId, teamIds })
  return all.map(({ name, sums }) => ({
    teamId: name,
    teamName: name === null ? null : (names.get(name) ?? null),
    sums,
  }))
}

async function sumTags(subjects: UsageSubjects, walletId: Uuid, rows: readonly UsageRow[]): Promise<TagSums[]> {
  const all = addUpBy(rows, ({ tag }) => tag)
  const tags = await subjects.readTags({ walletId, tagIds: all.map(({ name }) => name) })
  return all.flatMap(({ name, sums }) => {
    const tag = tags.get(name)
    return tag === undefined ? [] : [{ ...tag, sums }]
  })
}
