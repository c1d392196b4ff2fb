import { anyOf } from '../alternatives.ts'
import type { OrderPattern } from './order-pattern.ts'

const ignore =
  'ignor(?:e|ing), disregard(?:ing)?, forget(?: about)?, override, overrule, overwrite, bypass, neglect, discard, abandon, set aside, pay no attention to, stop (?:following|obeying), do not (?:follow|obey|adhere to|comply with|listen to|abide by), don.t (?:follow|obey|adhere to|comply with|listen to|abide by), no longer (?:follow|obey|adhere to|comply with|listen to|abide by), unlearn, circumvent, throw (?:out|away), put aside, be free (?:of|from), refuse to follow, violate, break'
const wipe = 'delete, erase, clear, reset, drop, cancel, skip, wipe, remove, purge, replace'

/** Words that refer to earlier instructions, or to instructions that the model got from others. */
const before = anyOf('previous(?:ly)?, prior, preceding, above, earlier, foregoing, initial, original')
const earlier = anyOf(
  'previous(?:ly)?, prior, preceding, above, earlier, foregoing, former, past, existing, original, initial, current, first, old, last, before',
)
const yours = anyOf(
  'your, safety, hidden, secret, ethical, moral, openai(?:.s)?, anthropic(?:.s)?, google(?:.s)?, pre.?programmed, factory',
)
const bound = anyOf(
  'your, system, system.s, developer, developer.s, safety, hidden, secret, internal, built.in, ethical, moral, content, core, openai(?:.s)?, anthropic(?:.s)?, google(?:.s)?, pre.?programmed, factory',
)
const whole = anyOf('all, any, every, each, everything, the entirety of')
const filler = anyOf(
  'the, of, these, those, that, this, and, or, other, set of, set, stated, given, listed, mentioned, provided, written, specified, above.mentioned, aforementioned, such, single, sorts? of, kinds? of, strict, security, usage, user, assistant, ai, chatbot, model, so.called, damn, stupid, silly',
)
const gap = `(?:(?:${earlier}|${bound}|${whole}|${filler})[ ,]+){0,7}`
const shortGap = `(?:(?:${filler}|${bound}|${earlier}|${whole}) +){0,4}`

/**
 * Words for instructions, words for rules of any kind, and words that count only if they are called the model's own.
 */
const order = anyOf(
  'instructions?, directives?, prompts?, system prompts?, system messages?, pre.?prompts?, programming, guardrails?, safeguards?, instruction set',
)
const rule = anyOf(
  'rules?, guidelines?, restrictions?, constraints?, polic(?:y|ies), directions?, limitations?, guidance, regulations?',
)
const own = anyOf(
  'filters?, protocols?, training, boundaries, limits?, safety (?:measures|features|protocols|checks|systems|mechanisms), content filters?, configuration, persona, context, role, identity, commands?, orders, principles?, directions',
)
const after = anyOf(
  'above, before(?: this)?, (?:that )?(?:you|u) (?:were|was|have been|had been|.ve been|are|got|have|received)(?: (?:given|told|provided|trained|programmed|following|under))?, (?:given|provided|told|assigned) (?:to you|earlier|above|previously|before|so far), i gave you (?:before|earlier|previously|above), so far, from (?:the )?(?:system|developers?|above|before|openai|anthropic), in (?:the |your )?system prompt, up to (?:now|this point|here), until now, you follow',
)
const clauseEnd = String.raw`(?=\s*(?:[.,;:!?)"'\]}*\n-]|$|and\b|then\b|now\b|from now|you\b|but\b|instead|or\b|because|as you|immediately|completely|entirely|please|since|below\b|for (?:this|the rest|now)|starting))`

const reveal =
  'reveal, show, print(?: out)?, display, output, repeat(?: back)?, recite, echo, leak, dump, disclose, expose, share, tell(?: me)?, give(?: me)?, write(?: out| down)?, return, send(?: me)?, provide, quote, copy, paste, spell out, list, state, summari[sz]e, paraphrase, translate, encode, extract, read out, read back, respond with, reply with, answer with, say'
const revealGap = `(?:(?:me|us|out|back|to|verbatim|exactly|precisely|word for word|the|all|of|full|complete|whole|entire|exact|raw|contents?|text|copy|version|first|\\d+|sentences?|lines?|words?|part|your|hidden|secret|initial|original|internal|confidential|private|previous|above|current|own|underlying|actual|real|everything|what|is|in|a|with|as|base64|code|block|json|form|here|now|please|also|then|and)[ ,:]+){0,9}`
const systemPrompt = anyOf(
  'system prompts?, system messages?, system instructions?, initial prompt, initial instructions?, initial message, hidden prompt, hidden instructions?, secret prompt, secret instructions?, original prompt, original instructions?, pre.?prompt, developer (?:message|instructions?|prompt), internal (?:instructions?|guidelines?|rules?|prompt), base prompt, meta.?prompt, (?:initiali[sz]ation|starting|opening|startup|setup|configuration|instruction|master|main|root) prompts?, custom instructions?, configuration instructions?, confidential instructions?',
)

const freedom = anyOf(
  'restrictions?, limits?, limitations?, rules?, filters?, guidelines?, guardrails?, ethics, ethical \\w+, moral \\w+, morals?, content polic(?:y|ies), safety \\w+, censorship, constraints?, boundaries, inhibitions, policies',
)
const without = anyOf(
  'with no, without(?: any| the)?, has no, have no, having no, had no, free (?:of|from)(?: all| any)?, not (?:bound|restricted|limited|constrained) by(?: any| the)?, unbound by(?: any)?, no longer (?:bound|restricted|limited) by(?: any)?, that ignores?(?: all| any)?, who ignores?(?: all| any)?, (?:does not|doesn.t|do not|don.t|never) (?:have|follow|obey|care about)(?: any| all)?, bypass(?:es|ing)?(?: all| any)?',
)
const freed = anyOf(
  'unrestricted, unfiltered, uncensored, jailbroken, unchained, amoral, unethical, unaligned, unbound, unlimited',
)

const quote = `["'\u201c\u2018]?`
const unquote = `["'\u201d\u2019]?`
/** `isVerb`: the sentence begins with its verb. */
const isVerb = true
const persona = anyOf('dan, stan, aim, jailbreakgpt, evilbot, evilgpt, freegpt, chaosgpt, devmode')
const lawless =
  'dan, god, jailbreak, jailbroken, unrestricted, uncensored, unfiltered, evil, opposite, sudo, chaos, no.?limits, no.?filter, devmode'
const device = '(?! (?:on|in|for|of) (?:my|the|your|a|windows|linux|android|chrome|minecraft|skyrim|game))'

/** Instructions to ignore the prompt. */
const ignoreOrders: readonly OrderPattern[] = [
  { start: ignore, isVerb, rest: ` +${gap}(?:${earlier}|${bound}) +${shortGap}${order}` },
  { start: ignore, isVerb, rest: ` +${gap}(?:${before}|${yours}) +${shortGap}(?:${rule}|commands?|directions)` },
  { start: ignore, isVerb, rest: ` +${gap}your +${shortGap}${own}` },
  { start: ignore, isVerb, rest: ` +(?:(?:${filler}|${whole}) +){0,4}(?:${order}|${rule}) +${after}` },
  {
    start: ignore,
    isVerb,
    rest: ` +${whole} +(?:${filler} +){0,3}(?:${order}|rules|guidelines|restrictions|polic(?:y|ies)|constraints)(?:(?:,| and| or|,? or)(?: all)? +\\w+){0,2}${clauseEnd}`,
  },
  { start: ignore, isVerb, rest: ' +(?:the +)?(?:system prompts?|system messages?|pre.?prompt)' },
  {
    start: wipe,
    isVerb,
    rest: ` +(?:(?:${whole}|${filler}) +){0,3}(?:your|previous|prior|earlier) +(?:(?:${filler}|${earlier}|${bound}) +){0,3}(?:instructions?|directives?|prompts?|system prompts?|programming|guidelines|training)`,
  },
  {
    start: 'ignore, forget, disregard, unlearn',
    isVerb,
    rest: ` +(?:about +)?(?:everything|anything|all|what(?:ever)?)(?: that)?(?: +(?:you(?: were|.ve been| have been| had been)(?: ever)? (?:told|taught|instructed|given|programmed)|you (?:have |.ve )?(?:learned|learnt|know|knew)(?: before| previously| so far| until now)?(?= *[.,;!\\n])|you know about (?:your|the) (?:rules|instructions)|(?:was |is |said |written |stated )?(?:above|before (?:this|now)|prior to this|up to (?:here|this point)))|${clauseEnd}(?= *[.,;!]? *(?:you are|act|pretend|your new|and (?:act|pretend|be)|from now)))`,
  },
  {
    start: 'ignore, forget, disregard, unlearn',
    isVerb,
    rest: ' +(?:about +)?(?:everything|anything|all|what(?:ever)?)(?: that)? +(?:the |your )?(?:developers?|creators?|makers?|owners?|operators?|system|administrators?|admin|openai|anthropic|google|company|they|others?) +(?:has |have |had |ever )?(?:told|said to|instructed|taught|ordered|programmed|given) +(?:to )?you',
  },
  {
    start: 'nothing, none',
    rest: ' (?:of (?:what )?)?(?:above|before this|you were told)(?: this line)? (?:matters|applies|counts|is valid)',
  },
  {
    start: 'your, the, all',
    rest: ' +(?:previous|prior|earlier|original|old|initial|above) +(?:instructions?|rules|directives|guidelines|prompts?) +(?:are|have been|were|is|has been) +(?:now )?(?:void|null|cancel\\w+|revoked|overridden|superseded|no longer|replaced|invalid|obsolete|outdated|deleted|lifted|suspended)',
  },
]

/** Instructions to reveal the prompt. */
const revealOrders: readonly OrderPattern[] = [
  {
    start: 'reveal, repeat, recite, leak, disclose, print, output, dump, display, echo, spit out',
    isVerb,
    rest: ' +(?:(?:me|us|out|back|all|of|the|your|those|these|verbatim|exactly|confidential|hidden|secret|full|exact|internal|complete|entire) +){0,6}(?:(?:above|previous|prior|preceding|foregoing|initial|original) +(?:instructions?|prompts?|directives?|rules|guidelines)|instructions? +(?:above|given|you (?:were|have)|to me|formatted|back to me|as (?:code|python|json|a )|in (?:a |full|bytes|base64|code))|(?:everything|all|what(?:ever)?)(?: that)? +you +(?:were|have been|.ve been) +(?:told|given|instructed|shown|taught)(?: (?:before|so far|above|earlier|at the start)|(?= *[.!?\\n]|$)))',
  },
  {
    start: reveal,
    isVerb,
    rest: ` +${revealGap}(?:your|ur|thy) +(?:(?:full|complete|entire|exact|hidden|secret|own|current|actual|real|whole|raw|underlying|confidential|private|very|first|original|initial|internal) +){0,3}(?:${systemPrompt}|prompt|instructions?(?= *(?:verbatim|word for word|exactly|above|in full|from (?:the|your)|[.!?;\\n]|$)))`,
  },
  {
    start:
      'reveal, repeat, recite, leak, disclose, expose, print, output, dump, show(?: me)?, display, tell me, give me, echo, write out, return, what (?:is|was|are|were|does), what.s',
    rest: ` +(?:(?:verbatim|me|the|full|exact|entire|complete|whole|contents? of|text of|all|of|everything in) +){1,5}${systemPrompt}(?=\\s*(?:[.!?,;\\n"')]|$|and\\b|verbatim|above|in full|exactly|word for word|you\\b|as is|now\\b|to me|in a code|starting|say\\b|that you))`,
  },
  {
    start: 'what, which',
    rest: `(?: +(?:is|are|was|were)|.s)? +(?:in +)?your +(?:(?:exact|full|original|hidden|current|very|secret|complete|entire|own|actual) +){0,3}(?:${systemPrompt}|prompt\\b(?! library| caching| template))`,
  },
  {
    start: 'what, which',
    rest: `(?: +(?:is|are|was|were)|.s) +(?:the +)?(?:(?:exact|full|first|precise|actual) +){0,2}(?:instructions?|rules|text|contents?|words|wording|lines?) +(?:in|of|from) +your +(?:${systemPrompt}|prompt\\b)`,
  },
  {
    start: 'what, which',
    rest: ' +(?:secret |hidden |initial |exact |original )?(?:instructions|rules|directives|guidelines|prompt) +(?:were|have|did|was|do|has)(?: been)? +(?:you|your (?:developers?|creators?|owner|operator)|openai|anthropic|given to you)(?: been)?(?: (?:given|told|give|provide|received?|have|follow))?',
  },
  {
    start: 'repeat, print, output, echo, recite, copy, write, show, return, reproduce, type, display',
    isVerb,
    rest: ' +(?:(?:me|out|back|all|of|the|everything|every|exact|exactly|verbatim|first|\\d+|full|entire|whole|previous) +){0,5}(?:words?|text|everything|sentences?|lines?|content|contents|messages?|paragraphs?|tokens|conversation|prompt|instructions?) +(?:(?:that|which|is|are|was|were|written|you see|given|appears?) +){0,3}(?:above|before this|preceding this|prior to this|at the (?:start|beginning|top) of (?:this|the|your) (?:conversation|chat|prompt|context|session))',
  },
  {
    start: 'repeat, print, output, start, begin, continue',
    rest: `\\b[^.\\n]{0,60}(?:start(?:ing)?|begin(?:ning)?) +(?:with|from|at) +(?:the (?:words?|phrase|sentence) +)?${quote}you are (?:an?|chatgpt|gpt|claude|gemini|the|assistant|helpful)`,
  },
  {
    start: 'everything, all(?: the)? text, all(?: the)? words, the text, anything',
    rest: ' (?:written |that comes |that appears |you (?:were|have been) given )?(?:above|before) this (?:line|point|message|sentence|prompt)[^.\\n]{0,40}(?:verbatim|code block|word for word|exactly)',
  },
]

/** Instructions to act as a persona without rules. */
const freedomOrders: readonly OrderPattern[] = [
  { start: 'do anything now', rest: '' },
  {
    start:
      'you are, you.re, act as, become, be, now, pretend to be, simulate, role.?play as, enable, play, called, named, known as, answer as, respond as, reply as, act (?:just |exactly )?like, i am, as, be called, role of, special agent',
    rest: ` +(?:now +|now called +|going to be +|an? +|the +|in +)?${quote}${persona}\\b(?!['\u2019]s\\b)(?! (?:brown|from|and i|who works|smith|at|the man))(?=${unquote}\\s*(?:[.,;:!(\\n"'-]|$|mode|which|who|that|an?\\b|and\\b|from\\b|now|without|with\\b|do anything|stands))`,
  },
  {
    start:
      'you are, you.re, you will be, you will now, you shall be, operate, act, acting, behave, behaving, respond, responding, answer, answering, reply, pretend, pretending, role.?play(?:ing)?, imagine, simulate, simulating, emulate, become, play, assume, take on, write, speak',
    rest: `\\b[^.!?\\n]{0,90}?\\b(?:ai|a\\.i\\.|assistant|model|llm|chatbot|bot|character|entity|persona|version|mode|gpt|chatgpt|claude|gemini|system|machine|yourself|being|someone|hacker|expert|you)\\b[^.!?\\n]{0,60}?\\b(?:${freed}|${without} +(?:(?:all|any|the|its|your|of|ethical|moral|safety|content|legal|usual|typical|kind of|sort of) +){0,3}${freedom})`,
  },
  {
    start:
      'you are, you.re, you have been, you.ve been, you will be, consider yourself, imagine you are, pretend you are, become, act as, be',
    rest: ` +(?:now +|currently +|completely +|totally +|fully +|an? +|the +){0,3}(?:${freed}|freed|liberated)(?= +(?:ai|assistant|model|llm|chatbot|bot|version|entity|language model|and|from|gpt|chatgpt)\\b|\\s*[.,;!\\n])`,
  },
  {
    start: 'you(?: are|.re| can|.ve| have| will)?',
    rest: `(?: now)? (?:no longer|not anymore|not|free from being|never) (?:be )?(?:bound|restricted|limited|constrained|governed|confined|subject) (?:by|to) (?:(?:your|any|the|all|these|those|openai.s|anthropic.s|ethical|moral|content|safety|usual|typical|previous) ){0,4}${freedom}`,
  },
  {
    start: lawless,
    rest: ' mode(?: is| has been|:)?(?: now)? *(?:enabled|activated|on\\b|engaged|unlocked|initiated|active)',
  },
  {
    start:
      'enter, enable, activate, switch (?:in)?to, turn on, go into, engage, unlock, initiate, start, operate in, run in, work in, respond in, answer in',
    isVerb,
    rest: ` +(?:your +|the +|into +)?${quote}${anyOf(lawless)}${unquote} mode${device}`,
  },
  {
    start: 'developer, debug, admin, maintenance, root, diagnostic, service, engineer',
    rest: ' (?:mode|access|override)[^.!?\\n]{0,40}(?:chatgpt|gpt|claude|gemini|the ai|the model|the assistant|yourself|you (?:will|must|can|are|have|should))',
  },
  {
    start: 'chatgpt, gpt.?\\d, claude, gemini, you are, you.re, ai, assistant, yourself, simulate',
    rest: `\\b[^.!?\\n]{0,50}(?:with|in|into|enter|enable|activate) +${quote}(?:developer|debug|admin|maintenance|root) mode${device}`,
  },
  {
    start:
      'disable, deactivate, turn off, switch off, remove, lift, shut off, suspend, bypass, circumvent, evade, get around, jailbreak',
    isVerb,
    rest: ' +(?:all +|any +|of +|the +){0,3}your +(?:own +)?(?:safety|content|ethical|moral|security|built.in|internal|censorship|moderation|output)? *(?:filters?|restrictions?|guardrails?|guidelines?|safeguards?|limitations?|polic(?:y|ies)|protocols?|measures?|controls?|alignment|moderation|censorship|censors?|rules|features|checks)',
  },
  {
    start: 'answer, respond, reply, speak, write, act, behave, comply',
    rest: '\\b[^.!?\\n]{0,50}without (?:any )?(?:of your )?(?:usual |normal |regular )?(?:moral|ethical|safety|content|legal|openai|anthropic) (?:or (?:moral|ethical|legal|safety) )?(?:restrictions?|filters?|constraints?|considerations?|guidelines?|limitations?|boundaries|concerns|disclaimers|guardrails?)',
  },
  {
    start: 'you (?:have been|were|are now|.ve been)',
    rest: ' (?:jailbroken|freed from (?:your|all)|liberated from (?:your|all))',
  },
  { start: 'jailbreak yourself', rest: '' },
  {
    start: 'dan, stan, dude, he, she, it, they, you',
    rest: ' (?:can|is able to|are able to) (?:do anything|override|bypass|ignore|break)(?: and| or|,)? *(?:and (?:is|are) not limited|all |any |the )?(?:restrictions|rules|limitations|guidelines|everything|limited by)',
  },
  {
    start: 'broken free, break free, breaks free, breaking free, free yourself',
    rest: ' (?:of|from) (?:the |your |all |any )?(?:typical |usual |normal )?(?:confines|constraints|restrictions|limitations|chains|limits|shackles|rules)',
  },
  {
    start: 'not have to, not need to, never have to, no longer have to',
    rest: ' (?:abide by|follow|obey|adhere to|comply with) (?:the |your |any |its |their )?(?:rules|guidelines|policies|restrictions|laws)(?: (?:set|imposed|placed|given|of openai|of anthropic))',
  },
  {
    start: 'no matter how',
    rest: ' (?:dangerous|illegal|unethical|immoral|harmful|reckless|inappropriate|offensive)(?:,? (?:or |and )?\\w+){0,5}[^.\\n]{0,30}',
  },
  {
    start: 'pretend, act, behave, imagine',
    rest: ' (?:to have|like you|as if you|as though you|you)(?: have|.ve)? forgotten (?:about )?(?:all |any )?(?:of )?(?:the |your )?(?:rules|instructions|guidelines|restrictions|training)',
  },
]

/** False claims of authority. */
const pretendedOrders: readonly OrderPattern[] = [
  {
    start: 'system, admin, administrator, developer, root, security, emergency, priority',
    rest: ' +override *(?:[:!\\]-]|code|accepted|initiated|activated|engaged|\\d)[^.\\n]{0,80}',
  },
  {
    start: 'end, eof',
    rest: ' of (?:the )?(?:system |user |original )?(?:prompt|instructions?|input|context|document)(?:\\]|>|\\*\\*)?[\\s.:!-]{0,8}(?:new|now|begin|start|updated|real|actual|your)[^.\\n]{0,60}',
  },
  {
    start: 'new, updated, revised, real, actual, true',
    rest: ' system (?:prompt|instructions?|message|directives?) *:',
  },
  {
    start: 'your new',
    rest: ' (?:instructions?|directives?|system prompt|primary directive|task|objective|goal|role)(?: is| are| now)?(?: to)? *:? *(?:to )?(?:ignore|reveal|output|print|disregard|bypass|exfiltrate|send|leak|answer everything|obey)',
  },
  {
    start: 'im_start\\|>',
    rest: ' *system[\\s\\S]{0,20}(?:you are now|ignore|new instruction|override|disregard|from now)',
  },
  {
    start: 'as (?:your|the)',
    rest: ' (?:developer|creator|administrator|admin|owner|programmer),? i (?:hereby )?(?:order|command|instruct|authori[sz]e|grant|allow|permit|unlock|require) you(?= (?:to (?:ignore|disregard|bypass|skip|reveal|disable|override|answer|show|break|forget|act|print|tell|lift|unlock)|full|unrestricted|access))',
  },
  {
    start: 'i am (?:your|the)',
    rest: ' (?:developer|creator|administrator|programmer|openai engineer|anthropic engineer)[^.\\n]{0,60}(?:ignore|disable|override|bypass|reveal|show me|unlock|give me|print)',
  },
]

/** Prompt injection sentences in English. Every gap is bounded, so that each match attempt is short. */
export const englishPatterns: readonly OrderPattern[] = [
  ...ignoreOrders,
  ...revealOrders,
  ...freedomOrders,
  ...pretendedOrders,
]
