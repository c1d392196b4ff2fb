import type { TraitOverrides } from '#domain/routing/trait-overrides.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { oncePer } from '#lib/once-per.ts'
import type { Target } from '#providers/protocol.ts'
import type { OpenAiQuirks, OpenAiVendor, ThinkingField } from '#providers/spec.ts'
import { optionalFields } from './request/known-fields.ts'
import { isThinkingField } from './request/thinking-fields.ts'

/** The destination of a chat completion, with all known facts about the upstream. */
export interface OpenAiTarget extends Target {
  readonly vendor: OpenAiVendor
}

/** The upstream's facts: from the program, then from its base URL, then from its operator. */
export const openAiTarget = oncePer((target: Target): OpenAiTarget => {
  const { vendor, overrides } = target
  assert(vendor.protocol === 'openai', `${vendor.slug} speaks ${vendor.protocol}, not OpenAI's protocol`)
  const known = vendorAt(vendor, target.baseUrl)
  return {
    ...target,
    vendor: overrides === undefined ? known : { ...known, openai: quirksWith(known.openai, overrides) },
  }
})

/**
 * Many servers imitate a vendor, and operators configure them under its name with another base URL. The vendor's limits
 * do not apply to them.
 */
function vendorAt(vendor: OpenAiVendor, baseUrl: string | null): OpenAiVendor {
  const { ownBase } = vendor.openai
  if (ownBase === undefined || baseUrl === null || ownBase.test(baseUrl)) return vendor
  return imitationOf(vendor)
}

const imitationOf = oncePer((vendor: OpenAiVendor): OpenAiVendor => {
  const { takes: _takes, thoughtsFor: _thoughtsFor, ...openai } = vendor.openai
  return { ...vendor, openai }
})

function quirksWith(quirks: OpenAiQuirks, overrides: TraitOverrides): OpenAiQuirks {
  const { thinking, efforts, outputCap, thoughts, send = {} } = overrides
  const field = thinkingFieldOf(thinking)
  const said = field === undefined ? quirks : { ...quirks, ...thinkingQuirks(quirks, field) }
  return {
    ...said,
    ...(said.takes === undefined ? {} : { takes: new Set([...said.takes, ...Object.keys(send)]) }),
    ...(efforts === undefined ? {} : { efforts }),
    ...(outputCap === undefined ? {} : { outputCapFor: () => outputCap }),
    ...(thoughts === undefined ? {} : { thoughtsFor: () => thoughts, replay: quirks.replay ?? 'content' }),
  }
}

function thinkingFieldOf(form: TraitOverrides['thinking']): ThinkingField | undefined {
  return form === 'budget' || form === 'adaptive' || form === 'level' ? undefined : form
}

/** A client's thinking option in any other field is translated to this one. */
function thinkingQuirks({ takes = optionalFields }: OpenAiQuirks, field: ThinkingField): Partial<OpenAiQuirks> {
  const { fields, atRest } = thinkingWords[field]
  const others = [...takes].filter((name) => !isThinkingField(name))
  return { thinkingField: field, takes: new Set([...others, ...fields]), qwenAtRest: atRest }
}

const thinkingWords: Readonly<Record<ThinkingField, { fields: readonly string[]; atRest: JsonObject }>> = {
  reasoning_effort: { fields: ['reasoning_effort'], atRest: { reasoning_effort: 'none' } },
  reasoning: { fields: ['reasoning'], atRest: { reasoning: { enabled: false } } },
  reasoning_enabled: { fields: ['reasoning_effort'], atRest: { reasoning: { enabled: false } } },
  thinking: { fields: ['thinking'], atRest: { thinking: { type: 'disabled' } } },
  enable_thinking: { fields: ['enable_thinking', 'thinking_budget'], atRest: { enable_thinking: false } },
}
