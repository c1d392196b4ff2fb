import type { Principal } from '#domain/access/principal.ts'
import { type EndCustomerTerms, externalIdRule, isExternalId } from '#domain/end-customers/end-customer.ts'
import { type NamedRun, parseRun, type RunTerms } from '#domain/runs/run.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { parseTags, type Tag } from '#domain/tags/tag.ts'
import { type Eventually, onceHere } from '#lib/eventually.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Arrival } from '../types.ts'
import type { EndCustomerCache } from './end-customer-cache.ts'
import type { JudgeRunRules } from './judge-run-rules.ts'
import type { RunCache } from './run-cache.ts'
import type { TagCache } from './tag-cache.ts'

/** For whom and for what a request is, as it says. */
export interface Named {
  /** The owner's id of the customer. */
  readonly customer: string | null
  readonly tags: readonly Tag[]
  readonly run: NamedRun | null
}

interface ReadArrival {
  /** Without the customer's id, which is not for the upstream. */
  readonly arrival: Arrival
  readonly named: Named
}

/** Returns the principal with the terms of the customer and the run, and the tags. */
export type AttributeStage = (request: {
  arrival: Arrival
  principal: Principal
  named: Named
}) => Eventually<Principal>

/** Whether a request says for whom or for what it is. */
export function isAttributed({ attribution, body }: Arrival): boolean {
  const { metadata } = body
  return (
    attribution !== null ||
    (metadata !== undefined && (isJsonObject(metadata) ? metadata['customer_id'] !== undefined : isInForm(metadata))) ||
    body[formField] !== undefined
  )
}

/**
 * Reads the customer, tags and run of a request without looking them up, because an invalid request must not create
 * any. A request with a customer token is always for that customer, and cannot name tags or a run.
 */
export function readAttribution(sent: Arrival, { institutionSession, customerToken }: Principal): ReadArrival {
  if (institutionSession !== null) {
    throw new GatewayError('forbidden', {
      message:
        'An institution session cannot name a customer, tags or a run. Remove X-Weir-Customer, metadata.customer_id, X-Weir-Tags and X-Weir-Run.',
    })
  }
  const tags = sent.attribution?.tags
  const run = sent.attribution === null ? null : parseRun(sent.attribution)
  if (customerToken !== null && (tags !== undefined || run !== null)) {
    throw new GatewayError('forbidden', {
      message: 'A customer token cannot name tags or a run. Remove X-Weir-Tags and X-Weir-Run.',
    })
  }
  return {
    arrival: withoutCustomer(sent),
    named: {
      customer: customerFor(customerToken, readExternalId(sent)),
      tags: tags === undefined ? none : parseTags(tags),
      run,
    },
  }
}

function customerFor(token: Principal['customerToken'], customer: string | null): string | null {
  if (token === null) return customer
  if (customer === null || customer === token.customer) return token.customer
  throw new GatewayError('forbidden', {
    message: 'A customer token cannot name another customer. Remove X-Weir-Customer and metadata.customer_id.',
  })
}

const none: readonly [] = []

export interface AttributeMetrics {
  readonly attributed: { inc(labels: { by: 'customer' | 'tag' | 'run' }): void }
}

/** Finds the customer, the tags and the run that a request names, and creates unknown ones. */
export function createAttribute({
  endCustomers,
  tags,
  runs,
  judgeRunRules,
  metrics: { attributed },
}: {
  readonly endCustomers: Pick<EndCustomerCache, 'find'>
  readonly tags: TagCache
  readonly runs: Pick<RunCache, 'open'>
  readonly judgeRunRules: JudgeRunRules
  readonly metrics: AttributeMetrics
}): AttributeStage {
  return ({ arrival, principal, named }) => {
    if (named.customer !== null) attributed.inc({ by: 'customer' })
    if (named.tags.length > 0) attributed.inc({ by: 'tag' })
    if (named.run !== null) attributed.inc({ by: 'run' })
    const { walletId } = principal
    const customer = named.customer === null ? null : endCustomers.find(walletId, named.customer)
    return onceHere<EndCustomerTerms | null, Principal>(customer, (endCustomer) => {
      if (endCustomer?.suspended === true) throw suspension(named.customer ?? '')
      const ids = named.tags.length === 0 ? none : tags.find(walletId, named.tags)
      return onceHere<readonly Uuid[], Principal>(ids, (tagIds) => {
        if (named.run === null) return { ...principal, attribution: { endCustomer, tagIds, run: null } }
        return onceHere<RunTerms, Principal>(runs.open(principal, named.run), (run) => {
          const attributed = { ...principal, attribution: { endCustomer, tagIds, run } }
          if (run.rules.length === 0) return attributed
          return judgeRunRules({ run, arrival, principal }).then(() => attributed)
        })
      })
    })
  }
}

// How forms spell a member of an object.
const formField = 'metadata[customer_id]'

/** Whether metadata that a form sent as text names a customer. A repeated field is an array. */
function isInForm(metadata: JsonValue): boolean {
  const texts = Array.isArray(metadata) ? metadata : [metadata]
  return texts.some((text) => typeof text === 'string' && parseJsonObject(text)?.['customer_id'] !== undefined)
}

/** Null if the request names no customer. */
function readExternalId({ attribution, body }: Arrival): string | null {
  const inHeader = attribution?.customer
  const { metadata } = body
  const inBody = isJsonObject(metadata) ? metadata['customer_id'] : undefined
  if (body[formField] !== undefined || (inBody === undefined && metadata !== undefined && isInForm(metadata))) {
    throw malformed('A form cannot name a customer in metadata. Use X-Weir-Customer instead.')
  }
  const named = [
    ...(inHeader === undefined ? [] : [checkedId(inHeader.trim(), 'The X-Weir-Customer header')]),
    ...(inBody === undefined ? [] : [checkedId(inBody, 'metadata.customer_id')]),
  ]
  const [first = null, second = first] = named
  if (first !== second) {
    throw malformed('X-Weir-Customer and metadata.customer_id name different customers. Send only one.')
  }
  return first
}

function checkedId(value: JsonValue, place: string): string {
  if (typeof value === 'string' && isExternalId(value)) return value
  throw malformed(`${place} must be the id of a customer: ${externalIdRule}.`)
}

function withoutCustomer(arrival: Arrival): Arrival {
  const { metadata, ...body } = arrival.body
  if (!isJsonObject(metadata) || metadata['customer_id'] === undefined) return arrival
  const { customer_id: _customerId, ...rest }: JsonObject = metadata
  return { ...arrival, body: Object.keys(rest).length === 0 ? body : { ...body, metadata: rest } }
}

function suspension(externalId: string): GatewayError {
  return new GatewayError('customerSuspended', {
    message: `The customer ${externalId} is suspended. Resume the customer to continue.`,
    boundBy: 'customer',
  })
}
