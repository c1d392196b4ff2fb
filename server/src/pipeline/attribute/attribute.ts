import type { Principal } from '#domain/access/principal.ts'
import { type EndCustomerTerms, externalIdRule, isExternalId } from '#domain/end-customers/end-customer.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { Eventually } from '#lib/eventually.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from '#lib/json.ts'
import type { Arrival } from '../types.ts'
import type { EndCustomerCache } from './end-customer-cache.ts'

interface NamedCustomer {
  /** Without the customer's id, which is not for the upstream. */
  readonly arrival: Arrival
  /** The owner's id of the customer. */
  readonly customer: string
}

/** Returns the principal with the terms of the customer. */
export type AttributeStage = (request: {
  arrival: Arrival
  principal: Principal
  customer: string
}) => Eventually<Principal>

/** Whether a request says for whom it is. */
export function isAttributed({ attribution, body }: Arrival): boolean {
  const { metadata } = body
  return (
    attribution !== null ||
    (metadata !== undefined && (isJsonObject(metadata) ? metadata['customer_id'] !== undefined : isInForm(metadata))) ||
    body[formField] !== undefined
  )
}

/** Reads which customer a request names. It looks nothing up: an invalid request must not create a customer. */
export function readCustomer(sent: Arrival, { institutionSession }: Principal): NamedCustomer {
  if (institutionSession !== null) {
    throw new GatewayError('forbidden', {
      message: 'An institution session cannot name a customer. Remove X-Weir-Customer and metadata.customer_id.',
    })
  }
  return { arrival: withoutCustomer(sent), customer: readExternalId(sent) }
}

/** Finds the customer that a request names, and creates an unknown one. */
export function createAttribute(endCustomers: Pick<EndCustomerCache, 'find'>): AttributeStage {
  return ({ principal, customer }) => {
    const attributed = (endCustomer: EndCustomerTerms): Principal => {
      if (endCustomer.suspended) throw suspension(customer)
      return { ...principal, attribution: { endCustomer } }
    }
    const found = endCustomers.find(principal.walletId, customer)
    return found instanceof Promise ? found.then(attributed) : attributed(found)
  }
}

// How forms spell a member of an object.
const formField = 'metadata[customer_id]'

/** Whether metadata that a form sent as text names a customer. A repeated field is an array. */
function isInForm(metadata: JsonValue): boolean {
  const texts = Array.isArray(metadata) ? metadata : [metadata]
  return texts.some((text) => typeof text === 'string' && parseJsonObject(text)?.['customer_id'] !== undefined)
}

function readExternalId({ attribution, body }: Arrival): string {
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
  const [first, second = first] = named
  if (first === undefined || first !== second) {
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
