/**
 * Whether a request, in any protocol, would mean something else without the field at this path: the prompt, the model,
 * the output cap, and the fields that decide the charge. The gateway never omits or replaces these fields.
 */
export function isEssential(path: string): boolean {
  const [head = ''] = path.split('.')
  return wholeFields.has(head) || partlyEssential.has(path)
}

/** Fields that are essential with everything inside. */
const wholeFields: ReadonlySet<string> = new Set([
  'anthropic_version',
  'contents',
  'file',
  'image',
  'input',
  'instructions',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tokens',
  'messages',
  'model',
  'prompt',
  // Without it a Responses upstream stores content that clients were promised is not stored.
  'store',
  'stream',
  // Without it a stream reports no usage and could not be charged.
  'stream_options',
  'system',
  'systemInstruction',
  'system_instruction',
  'toolConfig',
  'tools',
])

/** Objects that hold the output cap besides fields that can be omitted one by one. */
const partlyEssential: ReadonlySet<string> = new Set([
  'generationConfig',
  'generationConfig.maxOutputTokens',
  'generation_config',
  'generation_config.max_output_tokens',
  'inferenceConfig',
  'inferenceConfig.maxTokens',
])
