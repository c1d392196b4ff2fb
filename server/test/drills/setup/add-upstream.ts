import type { World } from './world.ts'

/** Sends the drills' model to a simulator. */
export async function addUpstream(
  world: World,
  { url = world.simulator.url, name = 'first', priority = 0, pattern = 'openai/gpt-5.2' } = {},
): Promise<void> {
  await world.addProvider({ vendor: 'openai', url: `${url}/v1`, pattern, name, priority })
}
