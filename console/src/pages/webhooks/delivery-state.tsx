import type { Delivery } from '../../api/webhooks.ts'
import { plural } from '../../lib/plural.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'

const states = {
  delivered: ['Delivered', 'good'],
  waiting: ['Pending', 'accent'],
  given_up: ['Failed', 'bad'],
} as const

export function deliveryStateInWords({ state }: Pick<Delivery, 'state'>): string {
  return states[state][0]
}

export function DeliveryState({ delivery }: { readonly delivery: Delivery }) {
  const [words, tone] = states[delivery.state]
  return <Badge tone={tone}>{words}</Badge>
}

/** The last response of the webhook URL: `HTTP 204 after 1 try`. */
export function answerInWords({ last_status: status, last_error: error, tries }: Delivery): string {
  const count = Number(tries)
  if (count === 0) return 'Not sent yet'
  const answer = status === null ? (error ?? 'No response') : `HTTP ${status}`
  return `${answer} after ${plural(count, 'attempt')}`
}

/** The delivery time, or the time of the next attempt. */
export function DeliveryMoment({ delivery }: { readonly delivery: Delivery }) {
  const { delivered_at: delivered, next_try_at: next } = delivery
  if (delivered !== null) return <Time iso={delivered} />
  if (next === null) return 'No more attempts'
  return (
    <>
      Next attempt <Time iso={next} />
    </>
  )
}
