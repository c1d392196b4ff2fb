import type { ResponsesTarget } from './responses-host.ts'

/** Whether this upstream accepts an optional field, for a model with this effort. */
export function takesField(field: string, effort: string | undefined, target: ResponsesTarget): boolean {
  const { takes, samplesWhileThinking = true } = target.vendor.responses
  const isFree = samplesWhileThinking || effort === 'none' || !isThinker(target)
  return takes.has(field) && (isFree || !sampling.has(field))
}

const sampling = new Set(['temperature', 'top_p', 'top_logprobs'])

/** Whether the model thinks. */
export function isThinker({ vendor, upstreamModel, model }: ResponsesTarget): boolean {
  return vendor.responses.thinks?.(upstreamModel, model) ?? true
}
