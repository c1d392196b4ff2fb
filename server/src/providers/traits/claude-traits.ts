import type { SamplingForm } from '#domain/routing/trait-overrides.ts'
import type { Target } from '../protocol.ts'

/** The options that a release of Claude accepts, at every upstream. */
export interface ClaudeTraits {
  /** `budget`: thinking is set in tokens. `adaptive`: thinking is set by an effort, and a budget is rejected. */
  readonly thinking: 'budget' | 'adaptive'
  /** Whether thinking can be turned off. */
  readonly canRest: boolean
  /**
   * Thinking cannot be disabled, only limited to the time between tool calls, which means no thinking in a request
   * without tools.
   */
  readonly restsBetweenTools?: true
  readonly sampling: SamplingForm
  /**
   * The model rejects its own reasoning if anything earlier in the conversation changed, unless the request tells it to
   * drop such reasoning.
   */
  readonly bindsThoughts?: true
  /** Whether a request can force a tool. */
  readonly canBeForced: boolean
}

interface Row extends ClaudeTraits {
  /** Default: every family. */
  readonly families?: readonly string[]
  /** The first release with these traits, as major × 100 + minor. */
  readonly since: number
}

const beforeAll: ClaudeTraits = { thinking: 'budget', canRest: true, sampling: 'all', canBeForced: true }
const sinceOpus47: ClaudeTraits = { thinking: 'adaptive', canRest: true, sampling: 'none', canBeForced: true }

/** Traits whose requests every release accepts. */
const strictest: ClaudeTraits = { ...sinceOpus47, canRest: false, canBeForced: false, bindsThoughts: true }

/** The first matching row applies. */
const rows: readonly Row[] = [
  { families: ['fable', 'mythos'], since: 501, ...strictest },
  { families: ['fable', 'mythos'], since: 500, ...sinceOpus47, canRest: false },
  { families: ['sonnet'], since: 505, ...strictest, restsBetweenTools: true },
  { families: ['opus'], since: 505, ...strictest },
  { families: ['haiku'], since: 505, ...sinceOpus47, bindsThoughts: true },
  { since: 407, ...sinceOpus47 },
  { since: 401, ...beforeAll, sampling: 'one' },
]

/**
 * Uses the first name that contains a release: an operator's deployment name may hide it, our own id does not. The
 * operator's overrides come last.
 */
export function claudeTraitsAt({ upstreamModel, model, overrides }: ClaudeTarget): ClaudeTraits {
  const traits = claudeTraitsOf(upstreamModel, model)
  if (overrides === undefined) return traits
  const { thinking, sampling = traits.sampling, canRest = traits.canRest, canBeForced = traits.canBeForced } = overrides
  const form = thinking === 'budget' || thinking === 'adaptive' ? thinking : traits.thinking
  const { restsBetweenTools, bindsThoughts } = traits
  return {
    thinking: form,
    sampling,
    canRest,
    canBeForced,
    ...(restsBetweenTools === undefined ? {} : { restsBetweenTools }),
    ...(bindsThoughts === undefined ? {} : { bindsThoughts }),
  }
}

type ClaudeTarget = Pick<Target, 'upstreamModel' | 'model' | 'overrides'>

function claudeTraitsOf(...names: readonly (string | undefined)[]): ClaudeTraits {
  for (const name of names) {
    const release = name === undefined ? null : releaseIn(name)
    if (release === null) continue
    if (!knownFamilies.has(release.family)) return strictest
    return rows.find((row) => isRowOf(row, release)) ?? beforeAll
  }
  return beforeAll
}

/** An unknown family gets the strictest traits. */
const knownFamilies: ReadonlySet<string> = new Set(['fable', 'haiku', 'instant', 'mythos', 'opus', 'sonnet'])

interface Release {
  readonly family: string
  readonly version: number
}

/** Such as claude-opus-4-7, claude-sonnet-4.6 or claude-sonnet-4-20250514, whose second number is a date. */
const since4 = /claude-([a-z]+)-(\d{1,2})(?:[-.](\d{1,2})(?!\d))?/
/** Such as claude-3-5-sonnet, with the version first. */
const before4 = /claude-(\d)(?:[-.](\d)(?!\d))?-([a-z]+)/

/** Such as claude-mythos-preview, without a version. */
const withoutNumber = /claude-([a-z]{3,})(?:-preview|-latest|$)/

function releaseIn(name: string): Release | null {
  const [, family, major, minor = '0'] = since4.exec(name) ?? []
  if (family !== undefined) return { family, version: Number(major) * 100 + Number(minor) }
  const [, oldMajor, oldMinor = '0', oldFamily] = before4.exec(name) ?? []
  if (oldFamily !== undefined) return { family: oldFamily, version: Number(oldMajor) * 100 + Number(oldMinor) }
  const [, unnumbered] = withoutNumber.exec(name) ?? []
  return unnumbered === undefined ? null : { family: unnumbered, version: Number.POSITIVE_INFINITY }
}

function isRowOf({ families, since }: Row, { family, version }: Release): boolean {
  return version >= since && (families === undefined || families.includes(family))
}
