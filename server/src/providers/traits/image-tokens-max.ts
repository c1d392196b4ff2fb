/**
 * The maximum tokens that a model counts for one image of any size. The model decides, not the provider, so the
 * function matches model names; an unknown model gets the highest common count.
 */
export function imageTokensMax(upstreamModel: string, model: string): number {
  return families.find(({ names }) => names.test(upstreamModel) || names.test(model))?.tokens ?? commonMax
}

const families: readonly { names: RegExp; tokens: number }[] = [
  // 1,568 pixels on the long side, and 2,576 since Opus 4.7, at 750 pixels per token.
  { names: /claude/, tokens: 4_800 },
  // 2,833 and 5,667 for each of eight tiles.
  { names: /gpt-4o-mini/, tokens: 48_200 },
  // 1,536 patches at up to 2.46 tokens; the larger models count less. Since GPT-5.4 a model may read an image in its
  // original size.
  { names: /(?:^|\/)(?:chatgpt-|gpt-4|gpt-5(?:-|$|\.[0-3])|o[134](?:-|$))/, tokens: 4_000 },
]

/** Qwen's models read up to 16,384 patches; Gemini counts 258 for each of up to 60 tiles. */
const commonMax = 16_384
