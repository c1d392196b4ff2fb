import { errorBody, type GatewayError } from '#errors/gateway-error.ts'

/** The pieces of a chat event stream. */
export const doneFrame = 'data: [DONE]\n\n'

/** Keeps proxies and clients from giving up on a silent stream; every parser passes comments over. */
export const keepAliveComment = ': keep-alive\n\n'

export function dataFrame(json: string): string {
  return `data: ${json}\n\n`
}

/** A failure after the stream began: the status is out already, so the error travels as a frame of its own. */
export function errorFrames(error: GatewayError): string {
  return dataFrame(JSON.stringify(errorBody(error))) + doneFrame
}
