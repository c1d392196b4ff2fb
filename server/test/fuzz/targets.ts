import type { FuzzTarget } from './target.ts'
import { answerTargets } from './targets/answer-targets.ts'
import { dialectTargets } from './targets/dialect-targets.ts'
import { httpTarget } from './targets/http-target.ts'
import { jsonTargets } from './targets/json-targets.ts'
import { mediaTargets } from './targets/media-targets.ts'
import { ruleTargets } from './targets/rule-targets.ts'
import { storageTargets } from './targets/storage-targets.ts'
import { streamTargets } from './targets/stream-targets.ts'
import { textTargets } from './targets/text-targets.ts'
import { xmlTargets } from './targets/xml-targets.ts'

/** All readers of untrusted data. */
export const targets: readonly FuzzTarget[] = [
  ...jsonTargets,
  ...textTargets,
  ...xmlTargets,
  ...streamTargets,
  ...answerTargets,
  ...dialectTargets,
  ...storageTargets,
  ...mediaTargets,
  ...ruleTargets,
  httpTarget,
]

export function findTarget(name: string): FuzzTarget {
  const target = targets.find((each) => each.name === name)
  if (target === undefined) throw new Error(`no target is called ${name}`)
  return target
}
