import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import type { ProviderEvent } from './objects.ts'

/** A fault of a webhook. Each applies to the next event only, unless more are queued. */
export type WebhookFault =
  | 'drop' // never sent, though the list of events has it
  | 'delay' // kept until `releaseDelayed`
  | 'duplicate' // sent twice at once
  | 'truncate' // the half of its bytes
  | 'stale' // signed ten minutes ago
  | 'forge' // signed with another secret
  | 'cut' // the connection breaks once all of it is sent, before any answer

interface Delivery {
  readonly event: ProviderEvent
  /** The gateway's status, or null if the connection broke. */
  readonly status: number | null
}

interface WebhookOptions {
  readonly secret: string
  readonly nowMs: () => number
  /** Whether events are sent immediately. Otherwise `deliver` sends the pending ones. */
  readonly isPrompt: boolean
}

const timeoutMs = 30_000

/** Sends signed events to the gateways in turn, like Stripe, and retries until they respond with 2xx. */
export class WebhookSender {
  targets: readonly string[] = []
  readonly deliveries: Delivery[] = []
  readonly #options: WebhookOptions
  readonly #faults: WebhookFault[] = []
  readonly #delayed: ProviderEvent[] = []
  #waiting: ProviderEvent[] = []
  readonly #underWay = new Set<Promise<void>>()
  #turn = 0

  constructor(options: WebhookOptions) {
    this.#options = options
  }

  /** Queues faults for the next events, one each. */
  failNext(...faults: readonly WebhookFault[]): void {
    this.#faults.push(...faults)
  }

  take(event: ProviderEvent): void {
    const fault = this.#faults.shift()
    if (fault === 'drop') return
    if (fault === 'delay') this.#delayed.push(event)
    else if (!this.#options.isPrompt && fault === undefined) this.#waiting.push(event)
    else this.#begin(event, fault)
  }

  /** Sends the pending events once, newest first if requested; an event stays pending without a 2xx. */
  async deliver({ isReversed = false }: { isReversed?: boolean } = {}): Promise<Delivery[]> {
    await this.settled()
    const events = isReversed ? this.#waiting.toReversed() : this.#waiting
    this.#waiting = []
    const delivered: Delivery[] = []
    for (const event of events) delivered.push(await this.send(event))
    return delivered
  }

  releaseDelayed(): void {
    this.#waiting.push(...this.#delayed.splice(0))
  }

  /** Discards the pending events. */
  forget(): void {
    this.#waiting = []
  }

  /** Removes all pending faults; events they delayed are sent with the rest. */
  heal(): void {
    this.#faults.length = 0
    this.releaseDelayed()
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Resolves once all started deliveries have a response. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  async send(event: ProviderEvent, fault?: WebhookFault): Promise<Delivery> {
    const status = await this.#post(event, fault)
    const delivery = { event, status }
    this.deliveries.push(delivery)
    if (status === null || status < 200 || status > 299) this.#waiting.push(event)
    return delivery
  }

  #begin(event: ProviderEvent, fault: WebhookFault | undefined): void {
    const copies = fault === 'duplicate' ? 2 : 1
    for (let copy = 0; copy < copies; copy += 1) {
      const sending = this.send(event, fault).then(() => void this.#underWay.delete(sending))
      this.#underWay.add(sending)
    }
  }

  async #post(event: ProviderEvent, fault: WebhookFault | undefined): Promise<number | null> {
    const target = this.targets[this.#turn % Math.max(this.targets.length, 1)]
    if (target === undefined) return null
    this.#turn += 1
    const text = JSON.stringify(event, null, 2)
    const body = fault === 'truncate' ? text.slice(0, text.length / 2) : text
    const url = `${target}/api/payments/stripe/webhook`
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': this.#sign(text, fault) }
    if (fault === 'cut') return postAndLeave(url, headers, body)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.arrayBuffer()
      return response.status
    } catch {
      return null
    }
  }

  #sign(text: string, fault: WebhookFault | undefined): string {
    const { secret, nowMs } = this.#options
    const seconds = Math.floor(nowMs() / 1_000) - (fault === 'stale' ? 600 : 0)
    const key = fault === 'forge' ? `${secret}-of-another` : secret
    return `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${text}`).digest('hex')}`
  }
}

/** The gateway receives the whole event, and the sender disconnects before the response. */
function postAndLeave(url: string, headers: Record<string, string>, body: string): Promise<null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  const sent = request(url, { method: 'POST', headers, agent: false })
  sent.on('error', () => {})
  sent.on('close', () => resolve(null))
  sent.end(body, () => sent.destroy())
  return promise
}
