import { promptSizeFor } from '#dialects/choose-trim.ts'
import type { DialectCall } from '#dialects/dialect.ts'
import { imagesOrdered } from '#dialects/purpose-of.ts'
import { citationTokensBelieved, searchesBelieved } from '#domain/inference/is-believable.ts'
import { mediaTokens } from '#domain/inference/prompt-media.ts'
import { noSearches, type SearchAllowance } from '#domain/inference/search-allowance.ts'
import { pixelsMax, worstImages } from '#domain/media/worst-images.ts'
import { plainCharge } from '#domain/money/charge.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import { heldPrices, tierAskedOf } from '#domain/money/tier-prices.ts'
import { worstChargeOf } from '#domain/money/worst-charge.ts'
import { affordableOutput, type ConversationInput, worstWords } from '#domain/money/worst-words.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { searchesIn } from '#providers/searches-in.ts'
import { imageTokensMax } from '#providers/traits/image-tokens-max.ts'

/** What to reserve so that whichever candidate answers with so many tokens, its charge is covered. */
export function holdFor(candidates: readonly Candidate[], call: DialectCall, outputTokens: number): NanoUsd {
  return worstFor(candidates, call, outputTokens, promptTokensFor)
}

/** The worth of a call that no client pays for. Inline media count at their usual size. */
export function worthFor(candidates: readonly Candidate[], call: DialectCall, outputTokens: number): NanoUsd {
  return worstFor(candidates, call, outputTokens, worthPromptFor)
}

function worstFor(
  candidates: readonly Candidate[],
  call: DialectCall,
  outputTokens: number,
  promptFor: PromptFor,
): NanoUsd {
  return dearest(candidates, (candidate) => {
    if (call.media !== undefined) return mediaFor(call.media, candidate)
    const words = { ...inputFor(call, candidate, promptFor), completion: outputTokens }
    return nanoUsd(worstWords(words, heldPriceFor(call, candidate)) + imagesFor(call, candidate))
  })
}

type PromptFor = (call: DialectCall, candidate: Candidate) => number

/** The same for any count that the upstream reports: a prompt that fills the context, and the maximum number of searches. */
export function mostFor(candidates: readonly Candidate[], call: DialectCall, outputTokens: number): NanoUsd {
  const { trims: _trims, ...whole } = call
  const filled: DialectCall = { ...whole, fillsContext: true }
  return dearest(candidates, (candidate) => {
    const { prompt, searches } = inputFor(filled, candidate)
    const words = { prompt, searches: believedOf(searches), completion: outputTokens }
    return nanoUsd(worstWords(words, heldPriceFor(call, candidate)) + imagesFor(filled, candidate))
  })
}

/** An upstream that accepts no search limit may search more often than the usual hold covers. */
function believedOf(searches: SearchAllowance = noSearches): SearchAllowance {
  if (searches.isTold) return searches
  return { ...searches, webSearches: searchesBelieved, citationTokens: citationTokensBelieved }
}

/** What so many tokens usually cost with the dearest candidate. */
export function estimateFor(candidates: readonly Candidate[], call: DialectCall, outputTokens: number): NanoUsd {
  return dearest(candidates, (candidate) => {
    if (call.media !== undefined) return mediaFor(call.media, candidate)
    const words = { ...inputFor(call, candidate, usualPromptFor), completion: outputTokens }
    return nanoUsd(plainCharge(words, heldPriceFor(call, candidate)) + imagesFor(call, candidate))
  })
}

/** How many output tokens, of all choices together, an amount is certain to cover with one candidate. */
export function tokensFor(amount: NanoUsd, call: DialectCall, candidate: Candidate): number {
  const left = amount - imagesFor(call, candidate)
  return left <= 0n ? 0 : affordableOutput(nanoUsd(left), inputFor(call, candidate), heldPriceFor(call, candidate))
}

/** The same with whichever of these answers. */
export function leastTokensFor(amount: NanoUsd, call: DialectCall, candidates: readonly Candidate[]): number {
  const charged = candidates.filter(({ billing }) => billing === 'charged')
  return Math.min(...charged.map((candidate) => tokensFor(amount, call, candidate)))
}

/** A tier that is asked for may be served or not. */
function heldPriceFor({ body }: DialectCall, candidate: Candidate): PriceList {
  return heldPrices(candidate.price, tierAskedOf(body, candidate))
}

function dearest(candidates: readonly Candidate[], costOf: (candidate: Candidate) => NanoUsd): NanoUsd {
  let most = zeroUsd
  for (const candidate of candidates) {
    if (candidate.billing !== 'charged') continue
    const cost = costOf(candidate)
    if (cost > most) most = cost
  }
  return most
}

function mediaFor(media: NonNullable<DialectCall['media']>, { model, price }: Candidate): NanoUsd {
  return worstChargeOf((media.fitTo?.(model) ?? media).worst, price)
}

/** Hosts that make one image at a time are told and shown everything again for each. */
function imagesFor(call: DialectCall, candidate: Candidate): NanoUsd {
  const { model, price } = candidate
  const ordered = imagesOrdered(call, model)
  if (ordered === 0) return zeroUsd
  const promptTokens = promptTokensFor(call, candidate)
  const worst = { ...worstImages(ordered), uncachedInput: (ordered - 1) * promptTokens }
  const shown = ordered * (call.shownImages ?? 0)
  const media = { ...worst.media, inputImages: shown, inputPixels: shown * pixelsMax }
  return worstChargeOf({ ...worst, media }, price)
}

/** The prompt as it is sent, and what the upstream may look up for it. What it reads of that does not exceed the context. */
function inputFor(call: DialectCall, candidate: Candidate, promptFor: PromptFor = promptTokensFor): ConversationInput {
  const prompt = promptFor(call, candidate)
  const searches = searchesFor(call, candidate)
  const room = Math.max(0, (candidate.model.contextLength ?? Number.MAX_SAFE_INTEGER) - prompt)
  return { prompt, searches: { ...searches, promptTokens: Math.min(searches.promptTokens, room) } }
}

/** The maximum tokens of the prompt. Input that only the upstream can count may fill the context. */
function promptTokensFor(call: DialectCall, { model, upstreamModel }: Candidate): number {
  const size = promptSizeFor(call, model.id)
  const { promptTokensHeld: usual, promptTokensBeyond = 0, promptImages = 0, fillsContext = false } = size
  if (!fillsContext && promptTokensBeyond === 0 && promptImages === 0) return usual
  const contextMax = model.contextLength ?? usualContextMax
  if (fillsContext) return Math.max(usual, contextMax)
  const images = promptImages * (imageTokensMax(upstreamModel, model.id) - mediaTokens.image)
  return Math.max(usual, Math.min(usual + promptTokensBeyond + images, contextMax))
}

/** The same with media as they usually are: breakers sum it over calls that run at once, and seldom one of them is the largest. */
function usualPromptFor(call: DialectCall, { model }: Candidate): number {
  return promptSizeFor(call, model.id).promptTokensHeld
}

/**
 * Inline media count at their usual size: at their maximum, one abandoned answer about a PDF would use up the daily allowance. A URL or id
 * costs its sender nothing, whatever it leads to, so that the maximum counts.
 */
function worthPromptFor(call: DialectCall, candidate: Candidate): number {
  const { fillsContext = false } = promptSizeFor(call, candidate.model.id)
  return fillsContext ? promptTokensFor(call, candidate) : usualPromptFor(call, candidate)
}

/** The context of a model that states none. */
const usualContextMax = 1_048_576

export function searchesFor({ body }: DialectCall, { account, upstreamModel }: Candidate): SearchAllowance {
  return searchesIn(body, account.vendor, upstreamModel)
}
