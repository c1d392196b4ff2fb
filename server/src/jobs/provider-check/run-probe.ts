import { canCharge } from '#domain/catalogue/can-charge.ts'
import { chargeFor } from '#domain/money/charge.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { accountSecrets } from '#domain/routing/account-secrets.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type PublicText, publicText } from '#lib/public-text.ts'
import type { AuthorizeRequest, UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import { isLate } from '#providers/authentication.ts'
import type { MediaRequest, Step, StepOutcome } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError, UpstreamRefusedError } from '#providers/codecs/faults.ts'
import { limitsOf, type UpstreamTimeouts } from '#pipeline/dispatch/prepare-request.ts'
import { vendorOf } from '#pipeline/dispatch/attempt/vendor-of.ts'
import { ExchangeFailedError, wholeExchange } from '#pipeline/dispatch/attempt/whole-exchange.ts'
import type { Answered } from './answered.ts'
import type { ChosenProbe } from './choose-probes.ts'
import { probes } from './probes.ts'
import { suggestOverride } from './suggest-override.ts'

export interface ProbeDeps {
  readonly upstreams: Upstreams
  readonly authorize: AuthorizeRequest
  readonly timeouts: UpstreamTimeouts
  readonly wait: (ms: number) => Promise<void>
}

export type ProbeVerdict =
  | Accepted
  /** `override` is the command that would omit or rename the rejected field. */
  | { readonly kind: 'refused'; readonly status: number; readonly words: PublicText; readonly override: string | null }
  | { readonly kind: 'failed'; readonly words: PublicText }

/** The sums of all requests of a probe. */
export interface Accepted {
  readonly kind: 'accepted'
  /** Null if the provider reported no usage, or the catalogue has no price for it. */
  readonly cost: NanoUsd | null
  /** Null unless the provider states the cost of every request. */
  readonly stated: NanoUsd | null
  readonly note: string
}

const answerBytesMax = 64 * 1_024 * 1_024

/** Sends the request over the network, with the operator's own credential. */
export async function runProbe(chosen: ChosenProbe, deps: ProbeDeps): Promise<ProbeVerdict> {
  const { candidate, capability } = chosen
  let last: MediaRequest | null = null
  try {
    const script = probes[capability].begin(candidate)
    for (let next = script.next(); ; ) {
      if (next.done === true) return acceptance(next.value, chosen)
      if (next.value.kind === 'send') last = next.value.request
      next = script.next(await perform(next.value, candidate, deps))
    }
  } catch (error) {
    return verdictOf(error, candidate, last)
  }
}

async function perform(step: Step, candidate: Candidate, deps: ProbeDeps): Promise<StepOutcome> {
  switch (step.kind) {
    case 'wait':
      await deps.wait(step.ms)
      return undefined
    case 'send': {
      const request = await proven({ ...step.request, ...limitsOf(false, deps.timeouts) }, candidate, deps)
      const signal = AbortSignal.timeout(deps.timeouts.answerTimeoutMs)
      return wholeExchange(deps.upstreams, request, { bytesMax: answerBytesMax, signal })
    }
    case 'fetch-image':
      throw new TypeError('no probe names an image by its address')
  }
}

async function proven(request: UpstreamRequest, candidate: Candidate, deps: ProbeDeps): Promise<UpstreamRequest> {
  const { authentication } = vendorOf(candidate)
  const { credential } = candidate.account
  return isLate(authentication) && credential !== null ? deps.authorize(request, credential, authentication) : request
}

function acceptance(last: Answered, { candidate, capability }: ChosenProbe): ProbeVerdict {
  const { model, price } = candidate
  const calls = [...(last.earlier ?? []), last]
  const isPriced = canCharge(model, price, probes[capability].kind)
  const costOf = ({ usage }: Answered): bigint | null =>
    usage !== null && isPriced ? chargeFor(usage, price).cost : null
  return { kind: 'accepted', cost: sumOf(calls.map(costOf)), stated: sumOf(calls.map(statedOf)), note: last.note ?? '' }
}

function statedOf({ usage, statedNano }: Answered): bigint | null {
  const stated = statedNano ?? usage?.media?.statedNano
  return stated === undefined ? null : BigInt(stated)
}

function sumOf(amounts: readonly (bigint | null)[]): NanoUsd | null {
  let sum = 0n
  for (const amount of amounts) {
    if (amount === null) return null
    sum += amount
  }
  return nanoUsd(sum)
}

function verdictOf(error: unknown, candidate: Candidate, request: MediaRequest | null): ProbeVerdict {
  const secrets = accountSecrets(candidate.account)
  if (error instanceof UpstreamRefusedError) {
    const { status, message, inside } = error.refusal
    const override = request === null ? null : suggestOverride(candidate, request, [message, inside])
    return { kind: 'refused', status, words: publicText(inside === '' ? message : inside, secrets), override }
  }
  if (error instanceof ExchangeFailedError || error instanceof UnusableAnswerError || error instanceof GatewayError) {
    return { kind: 'failed', words: publicText(error.message, secrets) }
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { kind: 'failed', words: publicText('The upstream timed out.') }
  }
  throw error
}
