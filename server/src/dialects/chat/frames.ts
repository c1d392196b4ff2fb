import { errorBody, type GatewayError } from '#errors/gateway-error.ts'

/** Frames of a chat event stream. */
export const doneFrame = 'data: [DONE]\n\n'

/** Keeps proxies and clients from timing out on a silent stream; every parser skips comments. */
export const keepAliveComment = ': keep-alive\n\n'

export function dataFrame(json: string): string {
  return `data: ${json}\n\n`
}

/** A failure after the stream began: the status is already sent, so the error is sent as a frame. */
export function errorFrames(error: GatewayError): string {
  return dataFrame(JSON.stringify(errorBody(error))) + doneFrame
}
