import type { Model } from '#domain/catalogue/model.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { DialectCall } from '../dialect.ts'

export function refuseDeafModel(_call: DialectCall, model: Model): void {
  if (model.outputModalities.includes('transcription')) return
  throw new GatewayError('modelEndpointMismatch', {
    message: `"${model.id}" does not transcribe. GET /v1/models?output_modalities=transcription lists the models that do.`,
  })
}
