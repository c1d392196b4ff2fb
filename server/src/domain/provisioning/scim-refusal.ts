import type { ErrorName } from '#errors/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/** The `scimType` of RFC 7644, section 3.12, with the error that sets its status. */
const errorOf = {
  invalidFilter: 'malformedRequest',
  invalidPath: 'malformedRequest',
  invalidSyntax: 'malformedRequest',
  invalidValue: 'malformedRequest',
  mutability: 'malformedRequest',
  noTarget: 'malformedRequest',
  tooMany: 'malformedRequest',
  uniqueness: 'conflict',
} as const satisfies Record<string, ErrorName>

export type ScimType = keyof typeof errorOf

/** A refusal that names its SCIM type. All other errors have a status only. */
export class ScimRefusal extends GatewayError {
  readonly scimType: ScimType

  constructor(scimType: ScimType, message: string) {
    super(errorOf[scimType], { message })
    this.scimType = scimType
  }
}
