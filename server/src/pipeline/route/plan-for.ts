import { promptSizeFor } from '#dialects/choose-trim.ts'
import type { DialectCall } from '#dialects/dialect.ts'
import { imagesOrdered } from '#dialects/purpose-of.ts'
import { pixelsMax, worstImages } from '#domain/media/worst-images.ts'
import { worstCharge } from '#domain/money/charge.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { worstChargeOf } from '#domain/money/worst-charge.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Plan } from '../types.ts'

/** A plan for candidates in the order of trying, with what is to be reserved for them. */
export function planFor(
  call: DialectCall,
  candidates: readonly Candidate[],
  rest: Pick<Plan, 'explanation' | 'conversation'>,
): Plan {
  const heldTokens = openingTokens(call, candidates)
  const isBilled = candidates.some(({ billing }) => billing === 'charged')
  return {
    call,
    candidates,
    heldTokens,
    amount: isBilled ? holdFor(candidates, call, heldTokens) : zeroUsd,
    isOpenEnded: isBilled && call.stream && call.maxTokens === null,
    isBilled,
    ...rest,
  }
}

/** What to reserve so that whichever candidate answers, its charge is covered. */
export function holdFor(candidates: readonly Candidate[], call: DialectCall, outputTokens: number): NanoUsd {
  let dearest = zeroUsd
  for (const { billing, price, model } of candidates) {
    if (billing !== 'charged') continue
    const amount = worstFor(call, { model, price }, outputTokens)
    if (amount > dearest) dearest = amount
  }
  return dearest
}

function worstFor(
  call: DialectCall,
  { model, price }: Pick<Candidate, 'model' | 'price'>,
  outputTokens: number,
): NanoUsd {
  if (call.media !== undefined) return worstChargeOf((call.media.fitTo?.(model) ?? call.media).worst, price)
  const { promptTokensHeld } = promptSizeFor(call, model.id)
  const words = worstCharge({ prompt: promptTokensHeld, completion: outputTokens }, price)
  const ordered = imagesOrdered(call, model)
  if (ordered === 0) return words
  // Hosts that make one image at a time are told and shown everything again for each.
  const worst = { ...worstImages(ordered), uncachedInput: (ordered - 1) * promptTokensHeld }
  const shown = ordered * (call.shownImages ?? 0)
  const media = { ...worst.media, inputImages: shown, inputPixels: shown * pixelsMax }
  return nanoUsd(words + worstChargeOf({ ...worst, media }, price))
}

const streamOpeningTokens = 1_024
const documentTokensMax = 4_096

function openingTokens(call: DialectCall, candidates: readonly Candidate[]): number {
  if (call.media !== undefined) return 0
  if (call.maxTokens !== null) return call.maxTokens * call.choiceCount
  if (call.stream) return streamOpeningTokens * call.choiceCount
  const modelMax = Math.max(...candidates.map((candidate) => candidate.maxCompletionTokens ?? documentTokensMax))
  return Math.min(modelMax, documentTokensMax) * call.choiceCount
}
