import { klingShape } from './kling.ts'
import { lumaAgentsShape, lumaDreamMachineShape } from './luma.ts'
import { openAiShape } from './openai.ts'
import { openRouterShape } from './openrouter.ts'
import { runwayShape } from './runway.ts'
import { veoShape } from './veo.ts'
import type { VideoShape } from './video-shape.ts'

/** Every host that can be played; one per wire form. */
export const videoHosts = {
  kling: klingShape,
  'luma-agents': lumaAgentsShape,
  'luma-dream-machine': lumaDreamMachineShape,
  openai: openAiShape,
  openrouter: openRouterShape,
  runway: runwayShape,
  veo: veoShape,
} as const satisfies Record<string, VideoShape>

export type VideoHostName = keyof typeof videoHosts
