import type { Scenario } from '#test/simulators/scenario.ts'

// The smallest possible PNG: one grey pixel.
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='

export const imageJson = JSON.stringify({
  created: 1_760_000_000,
  data: [{ b64_json: pixel }],
  usage: {
    input_tokens: 120,
    output_tokens: 1_056,
    total_tokens: 1_176,
    input_tokens_details: { text_tokens: 20, image_tokens: 100 },
  },
})

/** The same, once its gate is released. */
export function gatedAnswer(gate: string, text: string, type = 'application/json'): Scenario {
  return {
    kind: 'steps',
    steps: [
      { do: 'gate', name: gate },
      { do: 'head', status: 200, headers: { 'content-type': type } },
      { do: 'write', text },
      { do: 'end' },
    ],
  }
}

/** A complete response; `type` is JSON by default. */
export function wholeAnswer(text: string, type = 'application/json'): Scenario {
  return {
    kind: 'steps',
    steps: [{ do: 'head', status: 200, headers: { 'content-type': type } }, { do: 'write', text }, { do: 'end' }],
  }
}
