/** Test models with a fixed name, and their purposes. */
export const fixedTestModels = {
  echo: 'Echoes the last user message and follows directives in it, such as #status=503 or #cut.',
  text: 'Returns a fixed paragraph.',
  priced: 'Echoes the last user message and charges for it: $1 per million input tokens, $2 per million output tokens.',
  tools: 'Calls every tool in the request, then returns text once it has the results.',
  reasoning: 'Thinks aloud, then answers.',
  json: 'Answers with a minimal instance of the requested JSON schema.',
  long: 'Answers with as many words as max_tokens, or 2,000.',
  truncated: 'Answers with text and closes cleanly, without a finish reason.',
  cut: 'Resets the connection in the middle of the answer.',
  stall: 'Starts to answer, then stays silent.',
  silent: 'Never answers, not even with headers.',
  'stream-error': 'Reports an error in the middle of the answer.',
  'no-usage': 'Answers without a usage record.',
  'zero-usage': 'Answers with a usage record of zeros.',
  length: 'Stops with finish reason length.',
  'content-filter': 'Stops with finish reason content_filter.',
  refusal: 'Refuses to answer.',
} as const satisfies Record<string, string>
export type FixedTestModel = keyof typeof fixedTestModels

/** Families whose name ends in a number, such as `error-429`. The listing shows the samples. */
export const figuredTestModels = {
  error: { least: 300, most: 599, samples: [400, 401, 429, 500, 503], describe: (n) => `Answers with status ${n}.` },
  slow: { least: 0, most: 60_000, samples: [1000], describe: (n) => `Sends its first token after ${n} ms.` },
  drip: { least: 0, most: 60_000, samples: [50], describe: (n) => `Waits ${n} ms between words.` },
} as const satisfies Record<string, FiguredFamily>
export type FiguredTestModel = keyof typeof figuredTestModels

interface FiguredFamily {
  least: number
  most: number
  samples: readonly number[]
  describe: (figure: number) => string
}

/** The longest response: a frame for each word of a huge prompt would fill the memory of the process. */
export const answerWordsMax = 16_384
