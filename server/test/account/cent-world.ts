import type { Outside } from '#bin/wiring/outside.ts'
import { importModels } from '#test/money/import-models.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import type { Reply } from '#test/setup/reply.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'

/** A gateway with a model whose tokens cost a cent each, so that a test chooses the cost of a request. */
export interface CentWorld extends MoneyWorld {
  /** Sends a request that costs this many cents. */
  spend(caller: { key: string }, cents: number): Promise<Reply>
  /** Sends the same request and runs a function before its response arrives. */
  spendAfter(caller: { key: string }, cents: { held: number; spent: number }, act: () => Promise<void>): Promise<Reply>
}

const model = 'acme/cent'

export async function startCentWorld(
  environment: Record<string, string> = {},
  outside: Partial<Outside> = {},
): Promise<CentWorld> {
  const world = await startMoneyWorld(environment, outside)
  const pricing = { prompt: '0', completion: '0.01' }
  await importModels(world.pool, [{ id: model, provider: 'openai', pricing, maxCompletionTokens: 100_000 }])
  await world.gateway.refresh()

  async function call(caller: { key: string }, cents: number): Promise<Reply> {
    const reply = await world.call(caller, { model, max_tokens: cents })
    if (reply.status !== 200) throw new Error(`refused: ${reply.text}`)
    return reply
  }

  return {
    ...world,
    spend: (caller, cents) => {
      world.upstream.play(answer(cents))
      return call(caller, cents)
    },
    spendAfter: async (caller, { held, spent }, act) => {
      world.upstream.forget()
      world.upstream.play(insertAfterWrites(answer(spent), 0, { do: 'gate', name: 'act' }))
      const reply = call(caller, held)
      await world.upstream.waitForGate('act')
      await act()
      world.upstream.release('act')
      return reply
    },
  }
}

function answer(cents: number) {
  return vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage: { prompt: 0, completion: cents } })
}
