/**
 * Token counts in disjoint classes: every token of a request is in exactly one of them, whatever way its vendor counts.
 * All charging and reporting starts from here.
 */
export interface UsageClasses {
  uncachedInput: number
  cacheRead: number
  cacheWrite5m: number
  cacheWrite1h: number
  audioInput: number
  textOutput: number
  reasoningOutput: number
  imageOutput: number
  audioOutput: number
}

export const noUsage: Readonly<UsageClasses> = {
  uncachedInput: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  audioInput: 0,
  textOutput: 0,
  reasoningOutput: 0,
  imageOutput: 0,
  audioOutput: 0,
}

/** The sum of two counts, class by class. */
export function addClasses(one: UsageClasses, other: UsageClasses): UsageClasses {
  return {
    uncachedInput: one.uncachedInput + other.uncachedInput,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite5m: one.cacheWrite5m + other.cacheWrite5m,
    cacheWrite1h: one.cacheWrite1h + other.cacheWrite1h,
    audioInput: one.audioInput + other.audioInput,
    textOutput: one.textOutput + other.textOutput,
    reasoningOutput: one.reasoningOutput + other.reasoningOutput,
    imageOutput: one.imageOutput + other.imageOutput,
    audioOutput: one.audioOutput + other.audioOutput,
  }
}

/** All of the input, images that were counted in tokens included. */
export function promptTokensOf(usage: Usage): number {
  const text = usage.uncachedInput + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h
  return text + usage.audioInput + (usage.media?.inputImageTokens ?? 0)
}

export function completionTokensOf(usage: UsageClasses): number {
  return usage.textOutput + usage.reasoningOutput + usage.imageOutput + usage.audioOutput
}

/** Tokens, and what is counted beside them. */
export interface Usage extends UsageClasses {
  readonly media?: MediaUsage
  /**
   * The cost of an answer in tokens as the upstream states it, in nano-USD. It only checks the charge, and never
   * decides it.
   */
  readonly upstreamNano?: number
}

/** What is counted beside the tokens of words. Everything is a whole number, so that it multiplies exactly. */
export interface MediaUsage {
  readonly outputImages?: number
  /** Of all output images together. */
  readonly outputPixels?: number
  /** Those that the upstream does not count among the tokens of the prompt. */
  readonly inputImages?: number
  readonly inputPixels?: number
  /** Not among the tokens of `uncachedInput`. */
  readonly inputImageTokens?: number
  readonly inputCharacters?: number
  /** The audio tokens in `cacheRead`, which have a separate price. */
  readonly cachedAudioTokens?: number
  readonly inputAudioMs?: number
  readonly outputVideoMs?: number
  readonly inputVideoMs?: number
  /** As hosts count them that charge videos by tokens. */
  readonly videoTokens?: number
  /** Searches of the web that the upstream made for its answer, as it bills them. */
  readonly webSearches?: number
  /** Tokens of the sources that were quoted; not among those of the prompt. */
  readonly citationTokens?: number
  /** What chooses among the prices of one unit: size, quality, resolution, how much of each source was read. */
  readonly variant?: Readonly<Record<string, string>>
  /** What the upstream itself says it costs, in nano-USD; it is charged in place of everything else. */
  readonly statedNano?: number
}

/** What an upstream reports of its searches beside the tokens. */
interface ReportedSearches {
  readonly webSearches?: number | undefined
  readonly citationTokens?: number | undefined
  /** How much it read of what it found, where prices depend on that. */
  readonly contextSize?: string | undefined
}

/** The tokens and the searches of an answer. Most answers have none, and say nothing of them. */
export function withSearches(
  usage: Usage,
  { webSearches = 0, citationTokens = 0, contextSize }: ReportedSearches,
): Usage {
  if (webSearches === 0 && citationTokens === 0) return usage
  const media: MediaUsage = {
    ...usage.media,
    ...(webSearches > 0 ? { webSearches } : {}),
    ...(citationTokens > 0 ? { citationTokens } : {}),
    ...(contextSize === undefined ? {} : { variant: { search_context_size: contextSize } }),
  }
  return { ...usage, media }
}

/** Usage with a number of audio tokens among its cached tokens. */
export function withCachedAudio(usage: Usage, tokens: number): Usage {
  const cachedAudioTokens = Math.min(tokens, usage.cacheRead)
  return cachedAudioTokens === 0 ? usage : { ...usage, media: { ...usage.media, cachedAudioTokens } }
}

/** An all-zero record is no record: such a request is refunded. */
export function isZeroUsage(usage: Usage): boolean {
  return promptTokensOf(usage) === 0 && completionTokensOf(usage) === 0 && isZeroMedia(usage.media)
}

function isZeroMedia(media: MediaUsage = {}): boolean {
  return Object.values(media).every((count) => typeof count !== 'number' || count === 0)
}

/** What a vendor reported, before it is known which figures contain which. */
export interface ReportedUsage {
  prompt: number
  completion: number
  cacheRead?: number
  cacheWrite5m?: number
  cacheWrite1h?: number
  audioInput?: number
  reasoning?: number
  imageOutput?: number
  audioOutput?: number
}

export interface CountingHabits {
  /** OpenAI and Gemini count cached tokens inside the prompt; Anthropic and Bedrock beside it. */
  promptIncludesCache: boolean
  /** Most vendors count reasoning inside the completion; xAI beside it. */
  completionIncludesReasoning: boolean
}

/** The one normaliser. A part that exceeds its whole is cut to it, so that no class can go negative. */
export function disjointUsage(reported: ReportedUsage, habits: CountingHabits): UsageClasses {
  const { prompt, completion } = reported
  const take = remainder(prompt, habits.promptIncludesCache)
  const cacheRead = take(reported.cacheRead)
  const cacheWrite5m = take(reported.cacheWrite5m)
  const cacheWrite1h = take(reported.cacheWrite1h)
  const audioInput = take.inside(reported.audioInput)
  const give = remainder(completion, habits.completionIncludesReasoning)
  const reasoningOutput = give(reported.reasoning)
  const imageOutput = give.inside(reported.imageOutput)
  const audioOutput = give.inside(reported.audioOutput)
  return {
    uncachedInput: take.left(),
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
    audioInput,
    textOutput: give.left(),
    reasoningOutput,
    imageOutput,
    audioOutput,
  }
}

interface Remainder {
  (part: number | undefined): number
  /** A part that every vendor counts inside the whole. */
  inside(part: number | undefined): number
  left(): number
}

function remainder(whole: number, partsAreInside: boolean): Remainder {
  let left = whole
  const inside = (part = 0): number => {
    const taken = Math.min(part, left)
    left -= taken
    return taken
  }
  const take = (part = 0): number => (partsAreInside ? inside(part) : part)
  return Object.assign(take, { inside, left: () => left })
}
