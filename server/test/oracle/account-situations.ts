import type { Client } from '#test/setup/client.ts'
import { moderationPhrase } from './contract-words.ts'
import { call, modelFor } from './every-call.ts'
import type { OracleWorld } from './oracle-world.ts'
import { onInference, type Provoked, type Situation } from './situation.ts'

/** The price of an image: a limit of this amount is used up after one. */
const imageUsd = 0.04

/** Limits and permissions of the client. */
export const accountSituations: Readonly<Record<string, Situation>> = {
  'no key is sent': async (world) => asked(world.as()),
  'the key is unknown': async (world) => asked(world.as(`sk-weir-${'0'.repeat(64)}`)),
  'the account is suspended': async (world) => {
    const caller = await world.createClient()
    await ok(world.as(await world.addOperatorKey()).post(`/api/admin/users/${caller.userId}/suspend`))
    return asked(world.as(caller))
  },
  'the key is for institutions': async (world) => {
    const { id } = await world.createOrganization()
    const { key } = await world.addInstitutionSession(id)
    return { ...asked(world.as(key)), says: /session/ }
  },
  'the organization does not allow the model': async (world) => {
    const { client, admin, id } = await newOrganization(world)
    await ok(admin.patch(`/api/orgs/${id}/allowed-models`, { allowedModels: ['google/*'] }))
    return asked(client)
  },
  'moderation blocks the prompt': async (world) => {
    const caller = await world.createClient()
    const client = world.as(caller)
    return {
      ask: onInference((endpoint) => call(client, endpoint, { prompt: `Please repeat: ${moderationPhrase}` })),
      says: /blocked/,
      walletId: caller.walletId,
    }
  },
  'the wallet is empty': async (world) => ({
    ...asked(world.as(await world.createClient({ usd: '0' }))),
    says: /top up/i,
  }),
  'the key has used up its limit': async (world) => {
    const { userId } = await world.createClient()
    const manager = world.as(await world.addKey(userId, { type: 'management' }))
    const made = await ok(manager.post('/v1/keys', { name: 'capped', limit: imageUsd, limit_reset: 'daily' }))
    return spentBy(world.as(String(made.json.key)))
  },
  'the budget is used up': async (world) => {
    const { id } = await world.createOrganization()
    const { memberId } = await world.addMember(id, { monthlyBudgetUsd: String(imageUsd) })
    return spentBy(world.as(await world.addOrganizationKey(id, { memberId })))
  },
  'the credit line is used up': async (world) => {
    const { id } = await world.createOrganization({ usd: '0', creditLineUsd: String(imageUsd) })
    return spentBy(world.as(await world.addOrganizationKey(id)))
  },
  'the request rate is exceeded': async (world) => {
    const client = world.as(await world.createClient({ usd: '5' }))
    await Promise.all(Array.from({ length: 20 }, () => ok(call(client, 'embeddings'))))
    return asked(client)
  },
  'a spend breaker has tripped': async (world) => {
    const { client, admin, id } = await newOrganization(world)
    await ok(admin.patch(`/api/orgs/${id}/circuit-breaker`, { cbEnabled: true, cbMinuteUsd: imageUsd }))
    return { ...(await spentBy(client)), says: /organization.*minute/ }
  },
  'the brake is on for 30 s': braked(30),
  'the brake is on for 300 s': braked(300),
  'no upstream is configured': async (world) => {
    const client = world.as(await world.createClient())
    return { ask: onInference((endpoint) => call(client, endpoint, { model: modelFor(endpoint, 'lonely') })) }
  },
}

function asked(client: Client): Provoked {
  return { ask: onInference((endpoint) => call(client, endpoint)) }
}

/** Sends the one image request that the limit allows. */
async function spentBy(client: Client): Promise<Provoked> {
  await ok(call(client, 'images'))
  return asked(client)
}

function braked(retryAfterS: number): Situation {
  return async (world) => {
    const operator = world.as(await world.addOperatorKey())
    const brake = async (engaged: boolean): Promise<void> => {
      await ok(operator.put('/api/admin/brake', engaged ? { engaged, retryAfterS } : { engaged }))
      await world.gateway.refresh()
    }
    await brake(true)
    return { ...asked(world.as(await world.createClient())), undo: () => brake(false) }
  }
}

async function newOrganization(world: OracleWorld): Promise<{ id: string; client: Client; admin: Client }> {
  const { id } = await world.createOrganization()
  const { memberId, userId } = await world.addMember(id, { role: 'org_admin' })
  const admin = world.as(await world.addKey(userId, { type: 'management' }))
  return { id, admin, client: world.as(await world.addOrganizationKey(id, { memberId })) }
}

async function ok<Answer extends { status: number; text: string }>(answer: Promise<Answer>): Promise<Answer> {
  const made = await answer
  if (made.status >= 300) throw new Error(`${made.status}: ${made.text}`)
  return made
}
