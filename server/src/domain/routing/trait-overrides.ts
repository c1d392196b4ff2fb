/**
 * What an operator knows better than the program's tables about what a provider takes: providers change weekly, and a
 * table only with a release. A trait that is left out is as the tables say.
 */
export interface TraitOverrides {
  /** Fields of the provider's request that are not sent. Dots lead into objects: `generationConfig.topK`. */
  readonly leaveOut?: readonly string[]
  /**
   * Fields of the client that are sent although the tables refuse them, each with its place in the provider's request.
   */
  readonly send?: Readonly<Record<string, string>>
  readonly thinking?: ThinkingForm
  /** The words for an effort that the provider takes. */
  readonly efforts?: readonly string[]
  readonly outputCap?: OutputCapField
  readonly thoughts?: ThoughtHistory
  readonly sampling?: SamplingForm
  /** Whether the model can be told not to think. */
  readonly canRest?: boolean
  /** Whether a call can demand a tool. */
  readonly canBeForced?: boolean
  /** The ratios of images and videos that the provider takes, such as `16:9`. */
  readonly aspectRatios?: readonly string[]
  /** Their sizes in pixels, such as `1280x720`, where the provider takes certain ones. */
  readonly sizes?: readonly string[]
  /** The seconds of a video. */
  readonly durations?: readonly number[]
}

/** What images and videos a provider makes. */
export type FormOverrides = Pick<TraitOverrides, 'aspectRatios' | 'sizes' | 'durations'>

/** The overrides of one model of a provider account, or of all of them. */
export interface ModelOverrides extends TraitOverrides {
  /**
   * The provider's name of the model, or ours; a star at its end stands for the rest. Every model where it is left out.
   */
  readonly model?: string
}

/** In which field a wish for thinking goes to a host of chat completions, and in which form to Claude and Gemini. */
export const thinkingForms = [
  'reasoning_effort',
  'reasoning',
  'reasoning_enabled',
  'thinking',
  'enable_thinking',
  /** A number of tokens. */
  'budget',
  /** An effort, for releases of Claude that choose by themselves how much to think. */
  'adaptive',
  /** A level, for Gemini. */
  'level',
] as const
export type ThinkingForm = (typeof thinkingForms)[number]

export const outputCapFields = ['max_tokens', 'max_completion_tokens'] as const
export type OutputCapField = (typeof outputCapFields)[number]

/** How earlier thoughts go back to a host that is strict about them. Others get what the client sent. */
export const thoughtHistories = [
  /** It knows no such field. */
  'none',
  /** As `reasoning`. */
  'reasoning',
  /**
   * As `reasoning_content`, where they led to tool calls: without them the host refuses the turn, elsewhere they only
   * cost tokens.
   */
  'content-with-tools',
  /** As `reasoning_content` on every turn of the assistant, empty if need be. */
  'content-always',
] as const
export type ThoughtHistory = (typeof thoughtHistories)[number]

/** Of Claude. `one`: temperature or top-p, but not both. `none`: it refuses temperature, top-p and top-k. */
export const samplingForms = ['all', 'one', 'none'] as const
export type SamplingForm = (typeof samplingForms)[number]

/**
 * What holds for a model that is known by these names; undefined where nothing was overridden. Fields add up. Of
 * everything else, the row with the longest name wins.
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

/** Both, of which the later one wins. */
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

/** Longer names say more of a model, and a whole name most. */
function rankOf({ model = '*' }: ModelOverrides): number {
  return model.length * 2 + (model.endsWith('*') ? 0 : 1)
}
