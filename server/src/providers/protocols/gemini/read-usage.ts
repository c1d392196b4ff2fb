import { disjointUsage, type Usage, withCachedAudio } from '#domain/inference/usage.ts'
import { countAt, isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'

/**
 * The usage of one frame, or undefined if it has no counts: some Vertex frames only state their traffic type. Cached
 * tokens are part of the prompt count; thoughts and tool input are separate from the counts that they belong to.
 */
export function readUsage(frame: JsonObject): Usage | undefined {
  const usage = frame.usageMetadata
  if (!isJsonObject(usage)) return undefined
  const count = (name: string): number => countAt(usage, name) ?? 0
  if (!wholes.some((name) => countAt(usage, name) !== undefined)) return undefined
  const thoughts = count('thoughtsTokenCount')
  const heard = modalityCount(usage, 'promptTokensDetails', 'AUDIO') + modalityCount(usage, toolDetails, 'AUDIO')
  const cachedAudio = modalityCount(usage, 'cacheTokensDetails', 'AUDIO')
  const classes = disjointUsage(
    {
      prompt: count('promptTokenCount') + count('toolUsePromptTokenCount'),
      completion: count('candidatesTokenCount') + thoughts,
      cacheRead: count('cachedContentTokenCount'),
      // Cached audio is counted among the cached tokens.
      audioInput: Math.max(0, heard - cachedAudio),
      reasoning: thoughts,
      imageOutput: modalityCount(usage, 'candidatesTokensDetails', 'IMAGE'),
      audioOutput: modalityCount(usage, 'candidatesTokensDetails', 'AUDIO'),
    },
    { promptIncludesCache: true, completionIncludesReasoning: true },
  )
  return withCachedAudio(classes, cachedAudio)
}

const wholes = ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount']
const toolDetails = 'toolUsePromptTokensDetails'

function modalityCount(usage: JsonObject, name: string, modality: string): number {
  const details = usage[name]
  if (!Array.isArray(details)) return 0
  return details
    .filter(isJsonObject)
    .filter((detail) => stringAt(detail, 'modality')?.toUpperCase() === modality)
    .reduce((sum, detail) => sum + (countAt(detail, 'tokenCount') ?? 0), 0)
}
