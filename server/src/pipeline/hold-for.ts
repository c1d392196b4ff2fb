import { promptSizeFor } from '#dialects/choose-trim.ts'
import type { DialectCall } from '#dialects/dialect.ts'
import { imagesOrdered } from '#dialects/purpose-of.ts'
import type { SearchAllowance } from '#domain/inference/search-allowance.ts'
import { pixelsMax, worstImages } from '#domain/media/worst-images.ts'
import { plainCharge } from '#domain/money/charge.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import { heldPrices, tierAskedOf } from '#domain/money/tier-prices.ts'
import { worstChargeOf } from '#domain/money/worst-charge.ts'
import { affordableOutput, type ConversationInput, worstWords } from '#domain/money/worst-words.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { searchesIn } from '#providers/searches-in.ts'

/** What to reserve so that whichever candidate answers with so many tokens, its charge is covered. */
export function holdFor(candidates: readonly Candidate[], call: DialectCall, outputTokens: number): NanoUsd {
  return dearest(candidates, (candidate) => {
    if (call.media !== undefined) return mediaFor(call.media, candidate)
    const words = { ...inputFor(call, candidate), completion: outputTokens }
    return nanoUsd(worstWords(words, heldPriceFor(call, candidate)) + imagesFor(call, candidate))
  })
}

/** What so many tokens usually cost with the dearest candidate. */
export function estimateFor(candidates: readonly Candidate[], call: DialectCall, outputTokens: number): NanoUsd {
  return dearest(candidates, (candidate) => {
    if (call.media !== undefined) return mediaFor(call.media, candidate)
    const words = { ...inputFor(call, candidate), completion: outputTokens }
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
function imagesFor(call: DialectCall, { model, price }: Candidate): NanoUsd {
  const ordered = imagesOrdered(call, model)
  if (ordered === 0) return zeroUsd
  const promptTokens = promptSizeFor(call, model.id).promptTokensHeld
  const worst = { ...worstImages(ordered), uncachedInput: (ordered - 1) * promptTokens }
  const shown = ordered * (call.shownImages ?? 0)
  const media = { ...worst.media, inputImages: shown, inputPixels: shown * pixelsMax }
  return worstChargeOf({ ...worst, media }, price)
}

/** The prompt as it is sent, and what the upstream may look up for it. What it reads of that does not exceed the context. */
function inputFor(call: DialectCall, candidate: Candidate): ConversationInput {
  const prompt = promptSizeFor(call, candidate.model.id).promptTokensHeld
  const searches = searchesFor(call, candidate)
  const room = Math.max(0, (candidate.model.contextLength ?? Number.MAX_SAFE_INTEGER) - prompt)
  return { prompt, searches: { ...searches, promptTokens: Math.min(searches.promptTokens, room) } }
}

export function searchesFor({ body }: DialectCall, { account, upstreamModel }: Candidate): SearchAllowance {
  return searchesIn(body, account.vendor, upstreamModel)
}
