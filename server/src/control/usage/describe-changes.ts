import { addParts, type ChangeParts, explainChange } from '#domain/usage/explain-change.ts'
import { findLeadingModels, type LeadingModels } from '#domain/usage/leading-models.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { MemberPerson, UsageDimension, UsageReads, UsageRow, UsageSubjects, UsageSums } from '#ports/usage.ts'
import { addUp, addUpBy } from './add-up.ts'
import { type AskedFilters, narrowToTag, type OpenedUsage } from './usage-scope.ts'

/** The sums of one name in both periods. */
export interface Changed<Name> {
  readonly name: Name
  readonly before: UsageSums
  readonly now: UsageSums
}

/** The names beyond those that are listed. */
interface RestOfChange {
  readonly count: number
  readonly change: NanoUsd
}

export interface ChangesDescription {
  readonly before: UsageSums
  readonly now: UsageSums
  /** The parts of all models together. */
  readonly parts: ChangeParts
  readonly leading: LeadingModels
  /** In order of the change, the largest first. Each list and its rest add up to the change. */
  readonly models: readonly (Changed<string> & { readonly parts: ChangeParts })[]
  readonly keys: readonly (Changed<Uuid> & { readonly keyName: string | null })[]
  /** Null if the client may not tell members apart. */
  readonly members: readonly (Changed<Uuid | null> & { readonly person: MemberPerson | null })[] | null
  readonly rest: {
    readonly models: RestOfChange
    readonly keys: RestOfChange
    readonly members: RestOfChange | null
  }
}

const namedMax = 10

/** Explains the difference of spend between two periods by models, keys and people, from the sums alone. */
export async function describeChanges(
  deps: { usage: UsageReads; subjects: UsageSubjects },
  scope: OpenedUsage,
  asked: { range: DayRange; previous: DayRange; filters: AskedFilters },
): Promise<ChangesDescription> {
  const { walletId } = scope
  const filter = await narrowToTag(deps.subjects, scope, asked.filters)
  const sum = async (by: UsageDimension) => {
    const read = async (range: DayRange) =>
      filter === null ? [] : deps.usage.sum({ walletId, range, filter, by: [by] })
    return Promise.all([read(asked.previous), read(asked.range)])
  }
  const [models, keys, members] = await Promise.all([
    sum('model'),
    sum('key'),
    scope.seesMembers ? sum('member') : null,
  ])
  const byModel = pair(models, ({ model }) => model).map((one) => ({
    ...one,
    parts: explainChange(one.before, one.now),
  }))
  const allKeys = pair(keys, ({ key }) => key)
  const allMembers = members === null ? null : pair(members, ({ member }) => member)
  const byKey = allKeys.slice(0, namedMax)
  const byMember = allMembers?.slice(0, namedMax) ?? null
  const memberIds = (byMember ?? []).flatMap(({ name }) => name ?? [])
  const [keyNames, people] = await Promise.all([
    byKey.length === 0
      ? new Map<Uuid, string>()
      : deps.subjects.readKeyNames({ walletId, keyIds: byKey.map(({ name }) => name) }),
    memberIds.length === 0 ? new Map<Uuid, MemberPerson>() : deps.subjects.readPeople({ walletId, memberIds }),
  ])
  return {
    before: addUp(models[0]),
    now: addUp(models[1]),
    parts: addParts(byModel.map(({ parts }) => parts)),
    leading: findLeadingModels(byModel),
    models: byModel.slice(0, namedMax),
    keys: byKey.map((one) => ({ ...one, keyName: keyNames.get(one.name) ?? null })),
    members:
      byMember?.map((one) => ({ ...one, person: one.name === null ? null : (people.get(one.name) ?? null) })) ?? null,
    rest: { models: restOf(byModel), keys: restOf(allKeys), members: allMembers === null ? null : restOf(allMembers) },
  }
}

function restOf(all: readonly Changed<unknown>[]): RestOfChange {
  const rest = all.slice(namedMax)
  const change = rest.reduce((sum, { before, now }) => sum + now.spent - before.spent, 0n)
  return { count: rest.length, change: nanoUsd(change) }
}

/** The names of both periods with their sums, those with the largest change first. */
function pair<Name extends string | null>(
  [before, now]: readonly [readonly UsageRow[], readonly UsageRow[]],
  nameOf: (row: UsageRow) => Name | undefined,
): Changed<Name>[] {
  const [earlier, later] = [before, now].map(
    (rows) => new Map(addUpBy(rows, nameOf).map(({ name, sums }) => [name, sums])),
  ) as [Map<Name, UsageSums>, Map<Name, UsageSums>]
  const names = [...new Set([...later.keys(), ...earlier.keys()])]
  return names
    .map((name) => ({ name, before: earlier.get(name) ?? addUp([]), now: later.get(name) ?? addUp([]) }))
    .toSorted((one, other) => compare(sizeOf(other), sizeOf(one)))
}

function sizeOf({ before, now }: Changed<unknown>): bigint {
  const change = now.spent - before.spent
  return change < 0n ? -change : change
}

function compare(one: bigint, other: bigint): number {
  return one === other ? 0 : one < other ? -1 : 1
}
