import type { VendorSlug } from '#providers/registry.ts'
import type { Capability } from '../twin.ts'
import type { TypedBody } from './typed-body.ts'

/** Bodies that do not match the type of an official SDK, and why that is accepted for now. */
export interface KnownMismatch {
  /** Each of these providers must have such a body, or the entry fails the run. */
  readonly providers: readonly VendorSlug[]
  readonly capability: Capability
  /** The compiler's error. */
  readonly says: RegExp
  readonly reason: string
}

const relayed = 'Hosts without a list of what they take get every field, and are not known to refuse one.'
const effort = 'Hosts without a list of what they take get every effort as it was sent.'
const history = 'The types of earlier answers are closed; what is left of thoughts in them is what the host takes back.'
const defaulted =
  'The type is of what the SDK sends after it has added its defaults; the host takes the field as absent.'

const ownSampling = /'"(?:top_k|min_p|top_a|repetition_penalty)"' does not exist/
const ownReasoning = /'"(?:reasoning|thinking|enable_thinking)"' does not exist in type '(?!.*AssistantMessage)/
const otherFields =
  /'"(?:image_config|modalities|structured_outputs|verbosity|prediction|metadata|seed|n)"' does not exist/
const thoughts =
  /'"reasoning(?:_details)?"' does not exist in type '.*AssistantMessage|role: "assistant"; content: string;/

export const knownMismatches: readonly KnownMismatch[] = [
  {
    providers: ['perplexity'],
    capability: 'chat',
    says: ownSampling,
    reason: relayed,
  },
  {
    providers: ['perplexity', 'openrouter'],
    capability: 'chat',
    says: ownReasoning,
    reason: relayed,
  },
  {
    providers: ['perplexity', 'openrouter'],
    capability: 'chat',
    says: otherFields,
    reason: relayed,
  },
  {
    providers: ['openrouter'],
    capability: 'chat',
    says: /'"(?:effort|max_tokens|enabled|exclude)"' does not exist in type '\w*Reasoning/,
    reason: 'The wish for thinking is in the words that OpenRouter shares with us; its type has fewer of them.',
  },
  {
    providers: ['sambanova', 'perplexity'],
    capability: 'chat',
    says: /Type '"(?:minimal|none)"' is not assignable/,
    reason: effort,
  },
  {
    providers: ['together', 'mistral'],
    capability: 'chat',
    says: thoughts,
    reason: history,
  },
  {
    providers: ['groq', 'together'],
    capability: 'chat',
    says: /'"stream_options"' does not exist/,
    reason: 'We ask for usage, which both take though their types leave it out.',
  },
  {
    providers: ['together', 'sambanova', 'perplexity', 'mistral'],
    capability: 'chat',
    says: /Type '"developer"' is not assignable/,
    reason: 'The role developer is relayed as it was sent; which hosts take it is not known.',
  },
  {
    providers: ['anthropic'],
    capability: 'chat',
    says: /'"(?:temperature|top_p|top_k)"' does not exist/,
    reason: 'SDK 1.x has removed the fields, which models up to Opus 4.6 take; W2: later ones are sent them too.',
  },
  {
    providers: ['amazon-bedrock'],
    capability: 'chat',
    says: /not assignable to type 'Uint8Array/,
    reason: 'The SDK takes bytes and sends them as base64, which is what we build.',
  },
  { providers: ['together', 'mistral'], capability: 'chat', says: /Property 'index' is missing/, reason: defaulted },
  {
    providers: ['together'],
    capability: 'chat',
    says: /Property 'arguments' is missing|'"strict"' does not exist/,
    reason: 'Its type of a chosen tool is that of a call; the documented form is the one that we send.',
  },
  {
    providers: ['perplexity'],
    capability: 'chat',
    says: /Type '"json_object"' is not|\{ name: string; \}; \}' is not assignable/,
    reason: 'The value is relayed as it was sent, and Perplexity refuses it by name.',
  },
  {
    providers: ['perplexity'],
    capability: 'chat',
    says: /'"reasoning_details"' does not exist/,
    reason: relayed,
  },
  {
    providers: ['cerebras', 'mistral', 'perplexity', 'groq', 'sambanova', 'together'],
    capability: 'chat',
    says: /Type '"file"' is not assignable/,
    reason: 'A file is what the client asks about, so that the host refuses it rather than that it is forgotten.',
  },
  {
    providers: ['fal'],
    capability: 'videos',
    says: /Type 'number' is not assignable to type '"\d+"/,
    reason:
      "W15: fal's generator prints enumerations of whole numbers as texts; the schemas of these apps say integer.",
  },
  {
    providers: ['xai'],
    capability: 'responses',
    says: /'"seed"' does not exist/,
    reason: "xAI takes a seed, which OpenAI's interface has not; the type is OpenAI's.",
  },
  {
    providers: ['together'],
    capability: 'embeddings',
    says: /'"dimensions"' does not exist/,
    reason: 'A wish for a length is relayed, so that the host refuses it rather than that it is forgotten.',
  },
]

/** The entry that explains the compiler's error for a body. */
export function mismatchOf({ provider, capability }: TypedBody, text: string): KnownMismatch | undefined {
  return knownMismatches.find(
    (known) => known.capability === capability && known.providers.includes(provider) && known.says.test(text),
  )
}
