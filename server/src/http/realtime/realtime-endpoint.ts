import { Type } from 'typebox'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Endpoint } from '../endpoint.ts'

/** Describes the handshake of realtime sessions, and answers requests without one. */
export const realtimeEndpoint: Endpoint = {
  name: 'openRealtimeSession',
  method: 'GET',
  paths: ['/v1/realtime'],
  tag: 'Inference',
  summary: 'Open a realtime session',
  description:
    "Upgrades to a WebSocket that speaks OpenAI's Realtime protocol. Each response of the session has its own hold, charge and receipt.",
  access: 'models.call',
  isUnlimited: true,
  query: Type.Object({
    model: Type.Optional(
      Type.String({ description: 'ID of a realtime model. List models with `GET /v1/models?available=true`.' }),
    ),
  }),
  reply: { status: 101, description: 'The connection is now a WebSocket.', schema: Type.Unknown() },
  errors: ['upgradeRequired'],
  handle: async () => {
    const headers = { upgrade: 'websocket', connection: 'Upgrade' }
    throw new GatewayError('upgradeRequired', { message: 'Open a WebSocket to use realtime sessions.', headers })
  },
}
