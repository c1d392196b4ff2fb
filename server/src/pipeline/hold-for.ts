import { promptSizeFor } from '#dialects/choose-trim.ts'
import type { DialectCall, MediaAsk } from '#dialects/dialect.ts'
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

/** The amount to hold so that the charge is covered, whichever candidate answers with this number of tokens. */
export function holdFor(candidates: readonly Candidate[], call: DialectCall, outputTokens: number): NanoUsd {
  return worstFor(candidates, call, outputTokens, call.holdsExactly === true ? exactInputFor : inputFor)
}

/** The value of a request that no client pays for. Media count at their usual size. */
export function worthFor(candidates: readonly Candidate[], call: DialectCall, outputTokens: number): NanoUsd {
  return worstFor(candidates, call, outputTokens, usualInputFor)
}

/** The possible cost of the input beyond `worthFor`, because only the upstream can count it. Zero for most requests. */
export function uncountedFor(candidates: readonly Candidate[], call: DialectCall): NanoUsd {
  if (!candidates.some(({ model }) => promptSizeFor(call, model.id).fillsContext === true)) return zeroUsd
  return nanoUsd(worstFor(candidates, call, 0, inputFor) - worstFor(candidates, call, 0, usualInputFor))
}

function worstFor(
  candidates: readonly Candidate[],
  call: DialectCall,
  outputTokens: number,
  input: (call: DialectCall, candidate: Candidate) => ConversationInput,
): NanoUsd {
  return dearest(candidates, (candidate) => {
    if (call.media !== undefined) return mediaFor(call.media, candidate, call.holdsExactly)
    const words = { ...input(call, candidate), completion: outputTokens }
    return nanoUsd(worstWords(words, heldPriceFor(call, candidate)) + imagesFor(call, candidate))
  })
}

/**
 * The amount to hold for any count that the upstream can report: a prompt that fills the context, and the maximum
 * number of searches.
 */
export function mostFor(candidates: readonly Candidate[], call: DialectCall, outputTokens: number): NanoUsd {
  const { trims: _trims, ...whole } = call
  const filled: DialectCall = { ...whole, fillsContext: true }
  return dearest(candidates, (candidate) => {
    const { prompt, searches } = inputFor(filled, candidate)
    const words = { prompt: prompt * turnsOf(searches), searches: believedOf(searches), completion: outputTokens }
    return nanoUsd(worstWords(words, heldPriceFor(call, candidate)) + imagesFor(filled, candidate))
  })
}

/** An upstream that accepts no search limit may search more often than the usual hold covers. */
function believedOf(searches: SearchAllowance = noSearches): SearchAllowance {
  if (searches.isTold) return searches
  return { ...searches, webSearches: searchesBelieved, citationTokens: citationTokensBelieved }
}

/** The usual cost of this number of tokens with the most expensive candidate. */
export function estimateFor(candidates: readonly Candidate[], call: DialectCall, outputTokens: number): NanoUsd {
  return dearest(candidates, (candidate) => {
    if (call.media !== undefined) return mediaFor(call.media, candidate, call.holdsExactly)
    const words = { ...usualInputFor(call, candidate), completion: outputTokens }
    return nanoUsd(plainCharge(words, heldPriceFor(call, candidate)) + imagesFor(call, candidate))
  })
}

/** How many output tokens, over all choices, an amount is certain to cover with one candidate. */
export function tokensFor(amount: NanoUsd, call: DialectCall, candidate: Candidate): number {
  const left = amount - imagesFor(call, candidate)
  if (left <= 0n) return 0
  const input = call.holdsExactly === true ? exactInputFor(call, candidate) : inputFor(call, candidate)
  return affordableOutput(nanoUsd(left), input, heldPriceFor(call, candidate))
}

/** The same for whichever of the candidates answers. */
export function leastTokensFor(amount: NanoUsd, call: DialectCall, candidates: readonly Candidate[]): number {
  const charged = candidates.filter(({ billing }) => billing === 'charged')
  return Math.min(...charged.map((candidate) => tokensFor(amount, call, candidate)))
}

/** The upstream may serve another tier than the requested one, so the hold covers both. */
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

function mediaFor(media: MediaAsk, { model, price }: Candidate, holdsExactly = false): NanoUsd {
  const { worst, most } = media.fitTo?.(model) ?? media
  return worstChargeOf(holdsExactly && most !== undefined ? most : worst, price)
}

/** Upstreams that create one image at a time get the whole input again for each. */
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

/** The prompt as sent, and the search results that the upstream may add to it, up to the context. */
function inputFor(call: DialectCall, candidate: Candidate): ConversationInput {
  return withSearches(call, candidate, promptTokensFor(call, candidate))
}

/**
 * The same with media at their usual size: breakers add it up over concurrent calls, and few calls reach their maximum.
 */
function usualInputFor(call: DialectCall, candidate: Candidate): ConversationInput {
  return withSearches(call, candidate, promptSizeFor(call, candidate.model.id).promptTokensHeld)
}

function withSearches(call: DialectCall, candidate: Candidate, prompt: number): ConversationInput {
  const searches = searchesFor(call, candidate)
  if (searches === noSearches) return { prompt }
  return {
    prompt,
    searches: { ...searches, promptTokens: Math.min(searches.promptTokens, roomBeside(prompt, candidate)) },
  }
}

/**
 * Everything that an upstream within its cap can count: it may read the prompt again for each choice and in each turn.
 * Results arrive one by one, so a turn reads half of them on average.
 */
function exactInputFor(call: DialectCall, candidate: Candidate): ConversationInput {
  const prompt = promptTokensFor(call, candidate)
  const searches = searchesFor(call, candidate)
  const readings = call.choiceCount * turnsOf(searches)
  if (searches === noSearches) return { prompt, reread: prompt * (readings - 1) }
  const found = Math.min(searches.promptTokens, roomBeside(prompt, candidate))
  const times = call.choiceCount * (searches.isTold ? 1 : untoldSpread)
  return {
    prompt,
    reread: prompt * (readings - 1) + Math.max(0, Math.ceil(found * (readings / 2 - 1))),
    searches: {
      ...searches,
      webSearches: searches.webSearches * times,
      citationTokens: searches.citationTokens * times,
      promptTokens: found,
    },
  }
}

/**
 * Calls whose upstream accepts no search limit are held for a generous number of searches; the highest reported is
 * below it.
 */
const untoldSpread = 2

function turnsOf({ turns = 1 }: SearchAllowance = noSearches): number {
  return turns
}

function roomBeside(prompt: number, { model }: Candidate): number {
  return Math.max(0, (model.contextLength ?? Number.MAX_SAFE_INTEGER) - prompt)
}

/** The maximum tokens of the prompt. Input that only the upstream can count may fill the context. */
function promptTokensFor(call: DialectCall, { model, upstreamModel }: Candidate): number {
  const { holdsExactly = false } = call
  const size = promptSizeFor(call, model.id)
  const { promptTokensHeld: usual, promptTokensBeyond = 0, promptImages = 0, fillsContext = false } = size
  if (!holdsExactly && !fillsContext && promptTokensBeyond === 0 && promptImages === 0) return usual
  const contextMax = model.contextLength ?? usualContextMax
  if (fillsContext || (holdsExactly && size.mayExpand === true)) return Math.max(usual, contextMax)
  const text = holdsExactly ? Math.max(usual, size.promptTokensMax ?? 0) + unseenFor(call) : usual
  const images = promptImages * (imageTokensMax(upstreamModel, model.id) - mediaTokens.image)
  return Math.max(usual, Math.min(text + promptTokensBeyond + images, contextMax))
}

/** The context of a model that states none. */
const usualContextMax = 1_048_576

/**
 * Upstreams add text of their own to a prompt: a template, and instructions for tools. For Claude this is up to 1,200
 * tokens.
 */
function unseenFor({ hasTools }: DialectCall): number {
  return hasTools ? 2_048 : 128
}

export function searchesFor({ body }: DialectCall, { account, upstreamModel }: Candidate): SearchAllowance {
  return searchesIn(body, account.vendor, upstreamModel)
}
