import type { Principal } from '#domain/access/principal.ts'
import { type EndCustomerTerms, externalIdRule, isExternalId } from '#domain/end-customers/end-customer.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { Eventually } from '#lib/eventually.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import type { Arrival } from '../types.ts'
import type { EndCustomerCache } from './end-customer-cache.ts'

interface Attributed {
  /** Without the customer's id, which is not for the upstream. */
  readonly arrival: Arrival
  /** With the terms of the customer. */
  readonly principal: Principal
}

export type AttributeStage = (arrival: Arrival, principal: Principal) => Eventually<Attributed>

/** Whether a request says for whom it is. */
export function isAttributed({ attribution, body }: Arrival): boolean {
  return attribution !== null || (isJsonObject(body.metadata) && body.metadata['customer_id'] !== undefined)
}

/** Finds the customer that a request names, and creates an unknown one. */
export function createAttribute(endCustomers: Pick<EndCustomerCache, 'find'>): AttributeStage {
  return (sent, sender) => {
    if (sender.institutionSession !== null) {
      throw new GatewayError('forbidden', {
        message: 'An institution session cannot name a customer. Remove X-Weir-Customer and metadata.customer_id.',
      })
    }
    const externalId = readExternalId(sent)
    const arrival = withoutCustomer(sent)
    const attributed = (endCustomer: EndCustomerTerms): Attributed => {
      if (endCustomer.suspended) throw suspension(externalId)
      return { arrival, principal: { ...sender, attribution: { endCustomer } } }
    }
    const found = endCustomers.find(sender.walletId, externalId)
    return found instanceof Promise ? found.then(attributed) : attributed(found)
  }
}

function readExternalId({ attribution, body }: Arrival): string {
  const inHeader = attribution?.customer
  const { metadata } = body
  const inBody = isJsonObject(metadata) ? metadata['customer_id'] : undefined
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
