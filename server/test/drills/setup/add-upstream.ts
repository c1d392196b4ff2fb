import type { World } from './world.ts'

/** Routes the drills' model to a simulator. */
export async function addUpstream(
  world: World,
  { url = world.simulator.url, name = 'first', priority = 0, pattern = 'openai/gpt-5.2', vendor = 'openai' } = {},
): Promise<void> {
  await world.addProvider({ vendor, url: `${url}/v1`, pattern, name, priority })
}
