import type { Principal } from '#domain/access/principal.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/**
 * The refusal of a key that is known: it is disabled, or may not do this. Its owner can find the request, though the
 * client learns nothing about the key.
 */
export class KeyRefusal extends GatewayError {
  // Private, so that no log line contains it.
  readonly #principal: Principal

  constructor(principal: Principal, errorName: ErrorName, detail: ConstructorParameters<typeof GatewayError>[1]) {
    super(errorName, detail)
    this.#principal = principal
  }

  get principal(): Principal {
    return this.#principal
  }
}
