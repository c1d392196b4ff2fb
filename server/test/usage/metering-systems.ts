import { HTTP } from 'cloudevents'
import { type JsonObject, objectAt, objectsIn } from '#lib/json.ts'
import type { AnswerCall, ReceivedCall } from '#test/videos/webhook-receiver.ts'

/** A system that bills customers, as its documentation and code describe it: what it has counted, and its API. */
export interface MeteringSystem {
  readonly answer: AnswerCall
  /** By the id that it counts once. */
  readonly counted: Map<string, CountedEvent>
}

interface CountedEvent {
  readonly customer: string
  readonly amount: bigint
  readonly atMs: number
}

type Answered = readonly [status: number, body: JsonObject]

function createSystem(answer: (call: ReceivedCall, counted: Map<string, CountedEvent>) => Answered): MeteringSystem {
  const counted = new Map<string, CountedEvent>()
  return {
    counted,
    answer: (call, response) => {
      const [status, body] = answer(call, counted)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    },
  }
}

const queryOf = ({ path }: ReceivedCall): URLSearchParams => new URL(path, 'http://system').searchParams

function sumsOf(counted: Map<string, CountedEvent>, fromMs: number, toMs: number): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { customer, amount, atMs } of counted.values()) {
    if (atMs >= fromMs && atMs < toMs) sums.set(customer, (sums.get(customer) ?? 0n) + amount)
  }
  return sums
}

/** Batches are read by the SDK of CloudEvents, which rejects what is not valid. */
export function createOpenMeter(): MeteringSystem {
  return createSystem((call, counted) => {
    if (call.method === 'GET') {
      const query = queryOf(call)
      const sums = sumsOf(counted, Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? ''))
      const data = [...sums].map(([subject, sum]) => ({ subject, value: Number(sum), groupBy: {} }))
      return [call.path.startsWith('/api/v1/meters/model_cost/query?') ? 200 : 404, { data }]
    }
    const read = HTTP.toEvent<JsonObject>({ headers: call.headers, body: call.body })
    for (const { id, source, subject = '', time = '', data = {}, type } of Array.isArray(read) ? read : [read]) {
      if (type !== 'model_cost') continue
      const amount = BigInt(String(data['cost_nano_usd']))
      counted.set(`${source} ${id}`, { customer: subject, amount, atMs: Date.parse(time) })
    }
    return [204, {}]
  })
}

/** Takes at most 100 events, and none of a batch with an event that it has. */
export function createLago(): MeteringSystem {
  const perPage = 2
  return createSystem((call, counted) => {
    if (call.method === 'GET') {
      const query = queryOf(call)
      const [fromMs, toMs] = ['timestamp_from', 'timestamp_to'].map((name) => Date.parse(query.get(name) ?? ''))
      const found = [...counted].filter(
        ([, { customer, atMs }]) =>
          customer === query.get('external_subscription_id') && atMs >= Number(fromMs) && atMs <= Number(toMs),
      )
      const page = Number(query.get('page'))
      const events = found.slice((page - 1) * perPage, page * perPage).map(([id, { amount }]) => ({
        transaction_id: id,
        properties: { cost_nano_usd: String(amount) },
      }))
      return [200, { events, meta: { next_page: page * perPage < found.length ? page + 1 : null } }]
    }
    const events = objectsIn(call.json['events'])
    if (events.length > 100) return [422, { error_details: { events: ['too_many_events'] } }]
    const known = [...events.entries()].filter(([, { transaction_id: id }]) => counted.has(String(id)))
    const faults = known.map(([index]) => [index, { transaction_id: ['value_already_exist'] }])
    if (faults.length > 0) return [422, { code: 'validation_errors', error_details: Object.fromEntries(faults) }]
    for (const event of events) {
      counted.set(String(event['transaction_id']), {
        customer: String(event['external_subscription_id']),
        amount: BigInt(String(objectAt(event, 'properties')['cost_nano_usd'])),
        atMs: Number(event['timestamp']) * 1_000,
      })
    }
    return [200, {}]
  })
}

/** Takes one event at a time, and refuses an identifier that it has. */
export function createStripeMeter(): MeteringSystem {
  return createSystem((call, counted) => {
    const query = queryOf(call)
    if (call.path.startsWith('/v1/billing/meters?')) {
      return [
        200,
        {
          data: [
            { id: 'mtr_other', event_name: 'x' },
            { id: 'mtr_1', event_name: 'model_cost' },
          ],
        },
      ]
    }
    if (call.method === 'GET') {
      const times = ['start_time', 'end_time'].map((name) => Number(query.get(name)) * 1_000)
      const sum = sumsOf(counted, Number(times[0]), Number(times[1])).get(query.get('customer') ?? '') ?? 0n
      return [
        call.path.startsWith('/v1/billing/meters/mtr_1/') ? 200 : 404,
        { data: [{ aggregated_value: Number(sum) }] },
      ]
    }
    const form = new URLSearchParams(call.body)
    const id = form.get('identifier') ?? ''
    if (counted.has(id)) return [400, { error: { message: `An event already exists with identifier ${id}.` } }]
    counted.set(id, {
      customer: form.get('payload[stripe_customer_id]') ?? '',
      amount: BigInt(form.get('payload[value]') ?? ''),
      atMs: Number(form.get('timestamp')) * 1_000,
    })
    return [200, {}]
  })
}
