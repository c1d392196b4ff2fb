/**
 * Token counts in disjoint classes: every token of a request is in exactly one class, however its vendor counts. All
 * charging and reporting is based on them.
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

/** All input tokens, including images that are counted in tokens. */
export function promptTokensOf(usage: Usage): number {
  const text = usage.uncachedInput + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h
  return text + usage.audioInput + (usage.media?.inputImageTokens ?? 0)
}

export function completionTokensOf(usage: UsageClasses): number {
  return usage.textOutput + usage.reasoningOutput + usage.imageOutput + usage.audioOutput
}

/** Tokens and other counted units. */
export interface Usage extends UsageClasses {
  readonly media?: MediaUsage
  /** The upstream's stated cost of the tokens, in nano-USD. It only verifies the charge and never determines it. */
  readonly upstreamNano?: number
}

/** Units besides text tokens. All are integers, so that they multiply exactly. */
export interface MediaUsage {
  readonly outputImages?: number
  /** For all output images together. */
  readonly outputPixels?: number
  /** Images that the upstream does not count among the prompt tokens. */
  readonly inputImages?: number
  readonly inputPixels?: number
  /** Not included in `uncachedInput`. */
  readonly inputImageTokens?: number
  readonly inputCharacters?: number
  /** The audio tokens among `cacheRead`, which have a separate price. */
  readonly cachedAudioTokens?: number
  readonly inputAudioMs?: number
  readonly outputVideoMs?: number
  readonly inputVideoMs?: number
  /** As counted by providers that charge videos by tokens. */
  readonly videoTokens?: number
  /** Web searches that the upstream made for its response, as it bills them. */
  readonly webSearches?: number
  /** Queries over up to 100 documents, as providers of rerank models count them. */
  readonly searchUnits?: number
  /** Tokens of the quoted sources; not included in the prompt tokens. */
  readonly citationTokens?: number
  /** Selects among the prices of one unit: size, quality, resolution, or the search context size. */
  readonly variant?: Readonly<Record<string, string>>
  /** The upstream's own price in nano-USD; it is charged instead of everything else. */
  readonly statedNano?: number
}

/** Search figures that an upstream reports besides the tokens. */
interface ReportedSearches {
  readonly webSearches?: number | undefined
  readonly citationTokens?: number | undefined
  /** The search context size, if prices depend on it. */
  readonly contextSize?: string | undefined
}

/** Adds searches to the usage. Most responses have none. */
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

/** Marks a number of the cached tokens as audio. */
export function withCachedAudio(usage: Usage, tokens: number): Usage {
  const cachedAudioTokens = Math.min(tokens, usage.cacheRead)
  return cachedAudioTokens === 0 ? usage : { ...usage, media: { ...usage.media, cachedAudioTokens } }
}

/** An all-zero record counts as no record: such a request is refunded. */
export function isZeroUsage(usage: Usage): boolean {
  return promptTokensOf(usage) === 0 && completionTokensOf(usage) === 0 && isZeroMedia(usage.media)
}

function isZeroMedia(media: MediaUsage = {}): boolean {
  return Object.values(media).every((count) => typeof count !== 'number' || count === 0)
}

/** A vendor's reported figures, before it is known which figures contain which. */
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
  /** OpenAI and Gemini include cached tokens in the prompt; Anthropic and Bedrock count them separately. */
  promptIncludesCache: boolean
  /** Most vendors include reasoning in the completion; xAI counts it separately. */
  completionIncludesReasoning: boolean
}

/** Normalizes all vendors' figures. A part that exceeds its total is cut to it, so that no class is negative. */
export function disjointUsage(reported: ReportedUsage, habits: CountingHabits): UsageClasses {
  const input = new Remainder(reported.prompt, habits.promptIncludesCache)
  const cacheRead = input.take(reported.cacheRead)
  const cacheWrite5m = input.take(reported.cacheWrite5m)
  const cacheWrite1h = input.take(reported.cacheWrite1h)
  const audioInput = input.takeInside(reported.audioInput)
  const output = new Remainder(reported.completion, habits.completionIncludesReasoning)
  const reasoningOutput = output.take(reported.reasoning)
  const imageOutput = output.takeInside(reported.imageOutput)
  const audioOutput = output.takeInside(reported.audioOutput)
  return {
    uncachedInput: input.left,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
    audioInput,
    textOutput: output.left,
    reasoningOutput,
    imageOutput,
    audioOutput,
  }
}

/** What is left of a total after its parts were taken. */
class Remainder {
  left: number
  readonly #partsAreInside: boolean

  constructor(whole: number, partsAreInside: boolean) {
    this.left = whole
    this.#partsAreInside = partsAreInside
  }

  /** A part that the total may not include. */
  take(part = 0): number {
    return this.#partsAreInside ? this.takeInside(part) : part
  }

  /** A part that every vendor includes in the total. */
  takeInside(part = 0): number {
    const taken = Math.min(part, this.left)
    this.left -= taken
    return taken
  }
}
