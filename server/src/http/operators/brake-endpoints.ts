import { engageBrake, releaseBrake } from '#control/operators/brake.ts'
import { createFieldReader } from '#control/read-fields.ts'
import { malformed } from '#errors/malformed.ts'
import type { Operators } from '#ports/operators.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { brakeSchema } from './operator-schema.ts'

/** Endpoints for the spend brake, which stops all dispatch. */
export function brakeEndpoints(operators: Operators): Endpoint[] {
  const common = {
    tag: 'Operators',
    access: 'operators.brake',
    paths: ['/api/admin/brake'],
    reply: { status: 200, description: 'The state of the emergency brake.', schema: brakeSchema },
  } as const
  return [
    {
      ...common,
      access: 'operators.brake.read',
      name: 'getBrake',
      method: 'GET',
      summary: 'Get the state of the emergency brake',
      handle: async () => ({ body: await operators.readBrake() }),
    },
    {
      ...common,
      name: 'setBrake',
      method: 'PUT',
      summary: 'Engage or release the emergency brake',
      body: brakeSchema,
      handle: async (request) => {
        const reader = createFieldReader(request.body)
        const engaged = reader.flag('engaged')
        if (engaged === undefined) throw malformed('engaged is required.')
        if (!engaged) return { body: await releaseBrake(operators, changeAuthorOf(request)) }
        const brake = {
          retryAfterS: reader.whole('retryAfterS') ?? 300,
          reason: reader.nullableText('reason') ?? null,
        }
        return { body: await engageBrake(operators, brake, changeAuthorOf(request)) }
      },
    },
  ]
}
