/**
 * An operator's overrides of the built-in tables of fields and values that a provider accepts: providers change weekly,
 * but the tables only with a release. A missing trait keeps its table value.
 */
export interface TraitOverrides {
  /** Fields of the provider's request to omit. Dots lead into objects: `generationConfig.topK`. */
  readonly leaveOut?: readonly string[]
  /** Client fields that are sent although the tables drop them, each with its path in the provider's request. */
  readonly send?: Readonly<Record<string, string>>
  readonly thinking?: ThinkingForm
  /** The effort values that the provider accepts. */
  readonly efforts?: readonly string[]
  readonly outputCap?: OutputCapField
  readonly thoughts?: ThoughtHistory
  readonly sampling?: SamplingForm
  /** Whether reasoning can be turned off. */
  readonly canRest?: boolean
  /** Whether a request can force a tool call. */
  readonly canBeForced?: boolean
  /** The image and video ratios that the provider accepts, such as `16:9`. */
  readonly aspectRatios?: readonly string[]
  /** The accepted sizes in pixels, such as `1280x720`, if the provider accepts only certain ones. */
  readonly sizes?: readonly string[]
  /** The accepted video durations in seconds. */
  readonly durations?: readonly number[]
}

/** The image and video formats of a provider. */
export type FormOverrides = Pick<TraitOverrides, 'aspectRatios' | 'sizes' | 'durations'>

/** The overrides of one model of a provider account, or of all of them. */
export interface ModelOverrides extends TraitOverrides {
  /**
   * The provider's name of the model, or ours; a trailing star matches the rest. If missing, it applies to every model.
   */
  readonly model?: string
}

/** The field for reasoning at chat completions providers, and the format of reasoning options for Claude and Gemini. */
export const thinkingForms = [
  'reasoning_effort',
  'reasoning',
  'reasoning_enabled',
  'thinking',
  'enable_thinking',
  /** A number of tokens. */
  'budget',
  /** An effort, for Claude releases that decide themselves how much to reason. */
  'adaptive',
  /** A level, for Gemini. */
  'level',
] as const
export type ThinkingForm = (typeof thinkingForms)[number]

export const outputCapFields = ['max_tokens', 'max_completion_tokens'] as const
export type OutputCapField = (typeof outputCapFields)[number]

/**
 * How earlier reasoning returns to a provider that has strict rules for it. Other providers get it as the client sent
 * it.
 */
export const thoughtHistories = [
  /** The provider has no such field. */
  'none',
  /** As `reasoning`. */
  'reasoning',
  /**
   * As `reasoning_content`, if it led to tool calls: without it the provider rejects the turn, elsewhere it only costs
   * tokens.
   */
  'content-with-tools',
  /** As `reasoning_content` on every assistant turn, empty if necessary. */
  'content-always',
] as const
export type ThoughtHistory = (typeof thoughtHistories)[number]

/** For Claude. `one`: temperature or top-p, but not both. `none`: it rejects temperature, top-p and top-k. */
export const samplingForms = ['all', 'one', 'none'] as const
export type SamplingForm = (typeof samplingForms)[number]

/**
 * The overrides of a model with these names; undefined if there are none. Fields accumulate. For everything else, the
 * row with the longest name wins.
 */
export function overridesFor(
  rows: readonly ModelOverrides[] | undefined,
  names: readonly string[],
): TraitOverrides | undefined {
  if (rows === undefined || rows.length === 0) return undefined
  const fitting = rows
    .filter(({ model = '*' }) => names.some((name) => isNamed(model, name)))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map(({ model: _, ...traits }) => traits)
  return fitting.length === 0 ? undefined : fitting.reduce<TraitOverrides>(addOverrides, {})
}

/** Combines two overrides; the later one wins. */
export function addOverrides(earlier: TraitOverrides, later: TraitOverrides): TraitOverrides {
  const leaveOut = [...new Set([...(earlier.leaveOut ?? []), ...(later.leaveOut ?? [])])]
  const send = { ...earlier.send, ...later.send }
  return {
    ...earlier,
    ...later,
    ...(leaveOut.length === 0 ? {} : { leaveOut }),
    ...(Object.keys(send).length === 0 ? {} : { send }),
  }
}

function isNamed(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

/** Longer names are more specific, and a full name most. */
function rankOf({ model = '*' }: ModelOverrides): number {
  return model.length * 2 + (model.endsWith('*') ? 0 : 1)
}
