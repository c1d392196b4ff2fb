import { GatewayError } from '#errors/gateway-error.ts'
import type { BuiltRequest } from '#test/media/first-request.ts'
import type { Asked } from '../ours/ask-media.ts'
import type { Capability } from '../twin.ts'
import type { SdkType, TypedBody } from './typed-body.ts'

export interface Order {
  readonly asked: Asked
  readonly capability: Capability
  readonly wish: string
  readonly typeFor: (request: BuiltRequest) => SdkType
  readonly build: () => BuiltRequest
}

/**
 * The body of an order; undefined if the codec says that its upstream does not support it, or if the body is a form.
 */
export function bodyOf({ asked: { provider, model }, capability, wish, typeFor, build }: Order): TypedBody[] {
  try {
    const request = build()
    if (Object.keys(request.json).length === 0) return []
    return [{ provider, capability, model, wish, type: typeFor(request), body: request.json }]
  } catch (thrown) {
    if (thrown instanceof GatewayError) return []
    throw thrown
  }
}
