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
 * How to call an upstream, and how it differs from others of its protocol. A folder of `vendors/` has one spec per site
 * of its vendor.
 */
export type VendorSpec = ConversationVendor | MediaVendor

/** Vendors of conversations, which may also have media, by the protocol of the conversations. */
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
  /** Null if the operator must set it (self-hosted servers). */
  readonly baseUrl: string | null
  readonly authentication: Authentication
  /**
   * The vendor states that it does not keep prompts after the response, for every model and by default. Others state it
   * for some models or contracts; an operator with such a contract sets it on the provider account.
   */
  readonly keepsPrompts?: false
  /** Its media besides conversations. */
  readonly media?: MediaCodecs
  /** Set if its list of models does not tell which of them a key can call. */
  readonly modelList?: false
  /** The path of realtime sessions in OpenAI's protocol, below the base URL; missing if it has none. */
  readonly realtimePath?: string
  /** Inserted between the base URL and the path of a media request. */
  readonly mediaPath?: string
  /** For a vendor with several protocols: the spec for this model. Undefined means this spec. */
  readonly hostOf?: (upstreamModel: string) => VendorSpec | undefined
  /**
   * The same vendor through Responses: for models that it sells only through that API, and for accounts whose operator
   * chooses it.
   */
  readonly onResponses?: ResponsesVendor
}

/** A vendor of images, audio or embeddings without conversations. */
export interface MediaVendor extends AnyVendor {
  readonly protocol: 'none'
  readonly media: MediaCodecs
}

export interface OpenAiVendor extends AnyVendor {
  readonly protocol: 'openai'
  readonly chatPath: string
  /** Set if it also completes texts that are no conversation. */
  readonly completions?: CompletionsApi
  readonly openai: OpenAiQuirks
}

/** An API for text completions, as OpenAI's older one. */
export interface CompletionsApi {
  /** The path, from that of the base URL. Defaults to `/completions` below it. */
  readonly pathFrom?: (prefix: string) => string
  /** Whether it serves the model. Default: every model of text. */
  readonly serves?: (upstreamModel: string) => boolean
  /** Whether the model fills the gap before a suffix. Default: none. */
  readonly fillsGaps?: (upstreamModel: string) => boolean
  /** The optional fields that it takes, besides `temperature`, `top_p` and `stop`. */
  readonly takes: ReadonlySet<string>
  readonly takesManyPrompts?: true
  readonly hasLogprobs?: true
}

export interface AnthropicVendor extends AnyVendor {
  readonly protocol: 'anthropic'
  /**
   * If the model is part of the path (Vertex), `{model}` and `{action}` stand for it and for rawPredict or its stream.
   */
  readonly messagesPath: string
  /** Sent in the body instead of the header, for upstreams of Claude that require it there. */
  readonly bodyVersion?: string
}

export interface GeminiVendor extends AnyVendor {
  readonly protocol: 'gemini'
  /** `{model}` stands for the model. The action follows after a colon. */
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

/** The fields and values that an upstream of Responses accepts. */
export interface ResponsesQuirks {
  /** The format of the encrypted thoughts that the upstream returns and can read. */
  readonly thoughts: ReasoningFormat
  /** Whether a model thinks. Other models reject thinking options. Default: every model. */
  readonly thinks?: (upstreamModel: string, model?: string) => boolean
  /** The upstream rejects sampling options while a model thinks. */
  readonly samplesWhileThinking?: false
  /** The smallest output cap that the upstream accepts. */
  readonly outputCapMin?: number
  /** The optional fields that the upstream knows. Other common fields are dropped. */
  readonly takes: ReadonlySet<string>
}

/** How an OpenAI-compatible upstream differs from OpenAI. Every default is OpenAI's behavior. */
export interface OpenAiQuirks {
  /** `ask`: usage is streamed only on request; `always`: it is always sent, and the option may be rejected. */
  readonly streamUsage: 'ask' | 'always'
  readonly counting: CountingHabits
  /** Request fields that this upstream rejects for this model. They are dropped. */
  readonly refusesFor?: (upstreamModel: string) => readonly string[]
  /**
   * The optional fields that this upstream knows, if it rejects all others: those are translated or dropped. If
   * undefined, the upstream accepts all fields, as servers do that ignore unknown ones.
   */
  readonly takes?: ReadonlySet<string>
  /** The vendor's own base URLs. Other servers under the vendor's name are assumed to accept every field. */
  readonly ownBase?: RegExp
  /** Request fields that have another name at this upstream. */
  readonly renames?: Readonly<Record<string, string>>
  /** The field that carries the output cap for this model; `max_tokens` by default. Clients do not choose it. */
  readonly outputCapFor?: (upstreamModel: string, model?: string) => OutputCapField | undefined
  /** Whether plugins such as web search are supported. Otherwise they are dropped. */
  readonly acceptsPlugins?: true
  /** Gateway fields that this upstream, itself a gateway, supports. They are sent to no other upstream. */
  readonly gatewayFields?: readonly string[]
  /** Final changes to the request body that no flag describes. The body is a copy. */
  readonly finishBody?: (body: JsonObject) => void
  /** Counts that a vendor puts in its own fields. They override the standard fields. */
  readonly extraCounts?: (usage: JsonObject, chunk: JsonObject) => ExtraCounts
  /** The web searches that a request may make here. Default: none. */
  readonly searchesIn?: (body: JsonObject, upstreamModel: string) => SearchAllowance
  /** Finds usage in places that OpenAI does not use, such as inside a choice or an extension object. */
  readonly findUsage?: (chunk: JsonObject) => JsonObject | undefined
  /** A failure that this upstream reports inside a response with status 200. */
  readonly findFailure?: (chunk: JsonObject) => UpstreamFailureText | undefined
  /** Finish reasons besides OpenAI's own. */
  readonly finishReasons?: Readonly<Record<string, FinishReason>>
  /** Reasoning arrives as `<think>` text inside the content. */
  readonly thinkTags?: true
  /**
   * The field for a thinking option if the request was not written for this upstream; `reasoning_effort` by default. A
   * client of chat completions knows its upstream, so its body passes unchanged; clients of the other dialects do not
   * know it.
   */
  readonly thinkingField?: ThinkingField
  /** The efforts that this upstream accepts. Default: any. */
  readonly efforts?: readonly string[]
  /** Turns off Qwen 3's thinking here; `enable_thinking: false` by default. */
  readonly qwenAtRest?: JsonObject
  /** How earlier thoughts are sent back to a model of this upstream. Default: as the client sent them. */
  readonly thoughtsFor?: (upstreamModel: string) => ThoughtHistory
  /** How the assistant's earlier thinking is sent back to this upstream. Default: not at all. */
  readonly replay?: 'details' | 'content'
  /** Prompt-cache markers are supported. Other upstreams do not know these members, and some reject them. */
  readonly takesCacheMarks?: true
  /** The upstream rejects sampling fields that OpenAI does not have. */
  readonly plainSampling?: true
}

/** The forms of a thinking option that upstreams of chat completions know. */
export type ThinkingField = Exclude<ThinkingForm, 'budget' | 'adaptive' | 'level'>

export interface ExtraCounts {
  cacheRead?: number | undefined
  cacheWrite5m?: number | undefined
  reasoning?: number | undefined
  /** The number of searches as billed by this upstream, which may be one for a request with several searches. */
  webSearches?: number | undefined
  citationTokens?: number | undefined
  searchContextSize?: string | undefined
  /** Cost of the response as stated by this provider, in nano-USD. */
  upstreamNano?: number | undefined
}

/** How most upstreams count. A vendor states only its differences. */
export const openAiCounting: CountingHabits = { promptIncludesCache: true, completionIncludesReasoning: true }
