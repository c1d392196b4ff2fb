import type { SearchAllowance } from '#domain/inference/search-allowance.ts'
import type { CountingHabits } from '#domain/inference/usage.ts'
import type { FinishReason } from '#domain/inference/finish-reason.ts'
import type { ReasoningFormat } from '#domain/inference/parts.ts'
import type { OutputCapField, ThinkingForm, ThoughtHistory } from '#domain/routing/trait-overrides.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Authentication } from './authentication.ts'
import type { MediaCodecs } from './codecs/codec.ts'
import type { UpstreamFailureText } from './upstream-failure.ts'

/**
 * How an upstream wants to be addressed and what it does differently. A folder of `vendors/` has one for each site of
 * its vendor.
 */
export type VendorSpec = ConversationVendor | MediaVendor

/** Who holds conversations, and perhaps makes other things as well, by the protocol of the conversations. */
interface ConversationVendors {
  openai: OpenAiVendor
  anthropic: AnthropicVendor
  gemini: GeminiVendor
  bedrock: BedrockVendor
  responses: ResponsesVendor
}

export type ProtocolName = keyof ConversationVendors
export type ConversationVendor = ConversationVendors[ProtocolName]

interface AnyVendor {
  /** The provider slug of the catalogue. */
  readonly slug: string
  readonly name: string
  /** Null where the operator must give one (self-hosted servers). */
  readonly baseUrl: string | null
  readonly authentication: Authentication
  /**
   * Says of itself that it keeps no prompts once an answer is made, for every model and without being asked. Several
   * others say so of some models or contracts; an operator who has such a contract says so of the provider account.
   */
  readonly keepsPrompts?: false
  /** What it makes beside conversations. */
  readonly media?: MediaCodecs
  /** Stands between the base URL and the path of a media request. */
  readonly mediaPath?: string
  /** Where one vendor speaks several protocols: how it is spoken to about this model. Undefined: as said here. */
  readonly hostOf?: (upstreamModel: string) => VendorSpec | undefined
  /**
   * The same vendor by Responses: for models that it sells through that alone, and for accounts whose operator wants
   * it.
   */
  readonly onResponses?: ResponsesVendor
}

/** One that makes images, audio or vectors and holds no conversations. */
export interface MediaVendor extends AnyVendor {
  readonly protocol: 'none'
  readonly media: MediaCodecs
}

export interface OpenAiVendor extends AnyVendor {
  readonly protocol: 'openai'
  readonly chatPath: string
  readonly openai: OpenAiQuirks
}

export interface AnthropicVendor extends AnyVendor {
  readonly protocol: 'anthropic'
  /**
   * Where the model is part of the path (Vertex), `{model}` and `{action}` stand for it and for rawPredict or its
   * stream.
   */
  readonly messagesPath: string
  /** Sent in the body instead of the header, by hosts of Claude that want it there. */
  readonly bodyVersion?: string
}

export interface GeminiVendor extends AnyVendor {
  readonly protocol: 'gemini'
  /** `{model}` stands for the model; the action follows behind a colon. */
  readonly modelPath: string
}

export interface BedrockVendor extends AnyVendor {
  readonly protocol: 'bedrock'
}

export interface ResponsesVendor extends AnyVendor {
  readonly protocol: 'responses'
  readonly responsesPath: string
  readonly responses: ResponsesQuirks
}

/** What a host of Responses takes. */
export interface ResponsesQuirks {
  /** Whose encrypted thoughts it gives out, and can read. */
  readonly thoughts: ReasoningFormat
  /** Whether a model thinks; others refuse to be asked for thoughts. Every model where nothing is said. */
  readonly thinks?: (upstreamModel: string, model?: string) => boolean
  /** Refuses to be told how to sample while a model thinks. */
  readonly samplesWhileThinking?: false
  /** The least output cap that it takes. */
  readonly outputCapMin?: number
  /** The optional fields that it knows; others that clients are known to send are dropped. */
  readonly takes: ReadonlySet<string>
}

/** How an OpenAI-compatible host departs from OpenAI. Everything has OpenAI's behaviour as its default. */
export interface OpenAiQuirks {
  /** `ask`: usage is streamed only on request; `always`: it comes by itself, and the option may be refused. */
  readonly streamUsage: 'ask' | 'always'
  readonly counting: CountingHabits
  /** Request fields that this host refuses for this model; they are dropped. */
  readonly refusesFor?: (upstreamModel: string) => readonly string[]
  /**
   * The optional fields that this host knows, where it refuses all others: those are said in its own words or dropped.
   * Where nothing is said it takes them all, as servers do that ignore what they do not know.
   */
  readonly takes?: ReadonlySet<string>
  /**
   * The addresses of the vendor itself, where servers of others are reached under its name too; those are taken to know
   * every field.
   */
  readonly ownBase?: RegExp
  /** Request fields this host knows under another name. */
  readonly renames?: Readonly<Record<string, string>>
  /** The field that carries the output cap for this model; `max_tokens` by default. Clients do not choose it. */
  readonly outputCapFor?: (upstreamModel: string, model?: string) => OutputCapField | undefined
  /** Whether plugins such as web search are understood; they are dropped otherwise. */
  readonly acceptsPlugins?: true
  /** Fields for gateways that this host, a gateway itself, understands; they go to no other host. */
  readonly gatewayFields?: readonly string[]
  /** Last word on the request body, for what no flag describes. Gets a body of its own to change. */
  readonly finishBody?: (body: JsonObject) => void
  /** Where a vendor puts counts in places of its own; merged over what the standard places hold. */
  readonly extraCounts?: (usage: JsonObject, chunk: JsonObject) => ExtraCounts
  /** What a call may look up on the web here; nothing where nothing is said. */
  readonly searchesIn?: (body: JsonObject, upstreamModel: string) => SearchAllowance
  /** Usage where OpenAI has none, such as inside a choice or an extension object. */
  readonly findUsage?: (chunk: JsonObject) => JsonObject | undefined
  /** A failure this host reports inside an answer with status 200. */
  readonly findFailure?: (chunk: JsonObject) => UpstreamFailureText | undefined
  /** Finish reasons beside OpenAI's own. */
  readonly finishReasons?: Readonly<Record<string, FinishReason>>
  /** Reasoning arrives as `<think>` text inside the content. */
  readonly thinkTags?: true
  /**
   * The field that a wish for thinking goes into when the call was not written for this host; `reasoning_effort` where
   * nothing is said. A client of chat completions knows its host, so its body passes as it is; clients of the other
   * dialects do not.
   */
  readonly thinkingField?: ThinkingField
  /** The words for an effort that this host takes; any where nothing is said. */
  readonly efforts?: readonly string[]
  /** What keeps a Qwen 3 from thinking here; `enable_thinking: false` where nothing is said. */
  readonly qwenAtRest?: JsonObject
  /** How earlier thoughts go back to a model of this host; as the client sent them where nothing is said. */
  readonly thoughtsFor?: (upstreamModel: string) => ThoughtHistory
  /** How the assistant's earlier thinking goes back to this host; not at all where nothing is said. */
  readonly replay?: 'details' | 'content'
  /** Marks of prompt caches are understood. Elsewhere they are unknown members, and some hosts refuse those. */
  readonly takesCacheMarks?: true
  /** Refuses sampling fields that OpenAI does not have. */
  readonly plainSampling?: true
}

/** The forms of a wish for thinking that hosts of chat completions know. */
export type ThinkingField = Exclude<ThinkingForm, 'budget' | 'adaptive' | 'level'>

export interface ExtraCounts {
  cacheRead?: number | undefined
  cacheWrite5m?: number | undefined
  reasoning?: number | undefined
  /** As this host bills them, which may be once for a request with several. */
  webSearches?: number | undefined
  citationTokens?: number | undefined
  searchContextSize?: string | undefined
  /** The cost of the answer as this provider states it, in nano-USD. */
  upstreamNano?: number | undefined
}

/** What most hosts do; a vendor states only its differences. */
export const openAiCounting: CountingHabits = { promptIncludesCache: true, completionIncludesReasoning: true }
