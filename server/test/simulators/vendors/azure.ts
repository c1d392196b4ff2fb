import type { JsonObject } from '../json-value.ts'
import { openai } from './openai.ts'
import type { VendorStyle } from './vendor-style.ts'

const verdicts: JsonObject = {
  hate: { filtered: false, severity: 'safe' },
  self_harm: { filtered: false, severity: 'safe' },
  sexual: { filtered: false, severity: 'safe' },
  violence: { filtered: false, severity: 'safe' },
}
const promptFilterResults = [{ prompt_index: 0, content_filter_results: verdicts }]

/** OpenAI's format with a first chunk without choices, and filter results on every choice. */
export const azure: VendorStyle = {
  ...openai,
  headers: { ...openai.headers, 'apim-request-id': '5c4b3a29', 'x-ms-region': 'Sweden Central' },
  opening: () => {
    const first = {
      choices: [],
      created: 0,
      id: '',
      model: '',
      object: '',
      prompt_filter_results: promptFilterResults,
    }
    return [`data: ${JSON.stringify(first)}\n\n`]
  },
  choice: ({ index, delta, finish }) => ({
    content_filter_results: finish === 'content_filter' ? blockedVerdicts() : finish === null ? verdicts : {},
    delta,
    finish_reason: finish,
    index,
    logprobs: null,
  }),
  dressCompletion: (body) => ({ ...body, prompt_filter_results: promptFilterResults }),
  errorBody: (details) => ({
    error: {
      message: details.message,
      type: details.type,
      param: details.param,
      code: details.code,
      ...(details.code === 'content_filter' ? { status: 400, innererror: innerError() } : {}),
    },
  }),
  errors: {
    'prompt-blocked': {
      message: 'The response was filtered due to the prompt triggering the content management policy.',
      type: 'null',
      code: 'content_filter',
      param: 'prompt',
    },
  },
}

function blockedVerdicts(): JsonObject {
  return { ...verdicts, violence: { filtered: true, severity: 'high' } }
}

function innerError(): JsonObject {
  return { code: 'ResponsibleAIPolicyViolation', content_filter_result: blockedVerdicts() }
}
