import { arkShape } from './ark.ts'
import { dashscopeShape } from './dashscope.ts'
import { falShape } from './fal.ts'
import { hailuo3Shape, hailuoShape } from './minimax.ts'
import { klingShape } from './kling.ts'
import { lumaAgentsShape, lumaDreamMachineShape } from './luma.ts'
import { openAiShape } from './openai.ts'
import { openRouterShape } from './openrouter.ts'
import { replicateShape } from './replicate.ts'
import { runwayShape } from './runway.ts'
import { omniShape } from './omni.ts'
import { vertexVeoShape } from './vertex-veo.ts'
import type { VideoShape } from './video-shape.ts'
import { xaiShape } from './xai.ts'

/** Every simulated host, one per wire format. */
export const videoHosts = {
  ark: arkShape,
  dashscope: dashscopeShape,
  fal: falShape,
  kling: klingShape,
  'luma-agents': lumaAgentsShape,
  'luma-dream-machine': lumaDreamMachineShape,
  'minimax-v1': hailuoShape,
  'minimax-v2': hailuo3Shape,
  openai: openAiShape,
  openrouter: openRouterShape,
  replicate: replicateShape,
  runway: runwayShape,
  omni: omniShape,
  'vertex-veo': vertexVeoShape,
  xai: xaiShape,
} as const satisfies Record<string, VideoShape>

export type VideoHostName = keyof typeof videoHosts
