/**
 * A policy of the built-in moderation: it rejects requests for instructions or material that no model may give. It is a
 * first line of defense and deliberately short. A policy must not reject people who ask about its subject, so its
 * pattern requires the intent as well: a verb of making next to the object. An operator who needs more adds a
 * moderation service.
 */
export interface ModerationPolicy {
  readonly category: ModerationCategory
  /** Lower case. Every text that the pattern matches contains one of them; texts without any are skipped. */
  readonly needles: readonly string[]
  /** RE2 syntax, case-insensitive. */
  readonly pattern: string
}

const moderationCategories = [
  'test',
  'weapons/mass-destruction',
  'sexual/minors',
  'self-harm/instructions',
  'malware/theft',
] as const
type ModerationCategory = (typeof moderationCategories)[number]

/** Harmless, but always rejected: for testing how an application handles a rejection. */
export const moderationTestPhrase = 'WEIR-MODERATION-TEST-PHRASE'

const howTo = String.raw`\b(?:how (?:do|can|could|would|should) (?:i|we|you|one|someone)|how to|teach (?:me|us) (?:how )?to|show (?:me|us) how to|help (?:me|us)(?: to)?|(?:instructions|steps|a recipe|a guide|a protocol) (?:for|to|on))`
const make = String.raw`(?:make|making|build|building|produc(?:e|ing)|prepar(?:e|ing)|synthesi[sz](?:e|ing)|manufactur(?:e|ing)|weaponi[sz](?:e|ing)|assembl(?:e|ing))`
const qualities = String.raw`(?:(?:an?|some|my|our|own|your|the|real|working|functional|crude|simple|small|homemade|improvised|pure|weapons?[- ]grade|lethal|deadly)\s+){0,5}`
const write = String.raw`\b(?:write|create|generate|code|develop|build|make|draw|give|show|send)(?:\s+(?:me|us))?\s+(?:(?:an?|some|the|my|very|more|explicit|graphic|detailed|realistic|working|undetectable|simple)\s+){0,4}`
const minor = String.raw`(?:child(?:ren)?|minors?|kids?|toddlers?|infants?|pre-?teens?|under-?aged?|schoolchild(?:ren)?|(?:[1-9]|1[0-7])[- ]years?[- ]olds?)`

export const moderationPolicies: readonly ModerationPolicy[] = [
  { category: 'test', needles: ['weir-moderation-test-phrase'], pattern: moderationTestPhrase },
  {
    category: 'weapons/mass-destruction',
    needles: ['sarin', 'novichok', 'nerve agent', 'nerve gas', 'mustard gas', 'anthrax', 'ricin', 'dirty bomb'],
    pattern: String.raw`${howTo}\s+${make}\s+${qualities}(?:sarin|novichok|nerve (?:agents?|gas)|mustard gas|anthrax|ricin|dirty bombs?)(?:[^\w-]|$)`,
  },
  {
    category: 'weapons/mass-destruction',
    needles: ['nuclear bomb', 'nuclear weapon', 'nuclear device', 'biological weapon', 'bioweapon', 'chemical weapon'],
    // These words also occur in history, games and politics, so the pattern requires a functional device.
    pattern: String.raw`${howTo}\s+${make}\s+(?:an?\s+|my\s+|our\s+)?(?:own\s+)?(?:real|working|functional|crude|homemade|improvised|deadly)\s+(?:nuclear (?:bomb|weapon|device)|biological weapon|bioweapon|chemical weapon)s?(?:[^\w-]|$)`,
  },
  {
    category: 'sexual/minors',
    needles: ['pornogra', 'child porn', 'erotic', 'sexual', 'nude p', 'nude i', 'nudes'],
    pattern: String.raw`${write}(?:pornograph(?:y|ic \w+)|erotica|erotic (?:story|stories|scene|fiction)|sexual(?:ly explicit)? (?:story|stories|scenes?|content|images?|pictures?|roleplay)|nude (?:pictures?|photos?|images?)|nudes)\s+(?:about|of|with|featuring|involving|between|depicting)\s+(?:(?:an?|the|my|two|some|young|naked)\s+){0,3}${minor}\b`,
  },
  {
    category: 'sexual/minors',
    needles: ['child porn'],
    pattern: String.raw`\b(?:where|how) (?:can|do|could) (?:i|we|you|one) (?:download|buy|watch|trade|share|make|get)\s+(?:\w+\s+){0,2}child porn(?:ography)?\b`,
  },
  {
    category: 'self-harm/instructions',
    needles: ['kill myself', 'killing myself', 'end my life', 'ending my life', 'commit suicide', 'hang myself'],
    pattern: String.raw`\b(?:(?:what is|what's|tell me|give me)\s+(?:the\s+)?(?:best|easiest|quickest|fastest|least painful|most painless|most effective)\s+(?:way|method)\s+(?:to|of|for)|(?:instructions|steps|methods) (?:to|for)|(?:how (?:do|can|should) i|how to)\s+(?:painlessly|quickly|quietly|successfully|best))\s+(?:kill(?:ing)? myself|end(?:ing)? my life|commit suicide|hang myself)\b`,
  },
  {
    category: 'malware/theft',
    needles: ['keylogger', 'ransomware', 'stealer', 'phishing', 'credential harvester'],
    pattern: String.raw`${write}(?:\w+\s+){0,2}(?:keylogger|ransomware|(?:info|password|credential|cookie|token)[- ]?stealer|phishing (?:page|site|kit|e-?mail)|credential harvester)s?\s+(?:\w+\s+){0,4}(?:that|which|to)\s+(?:\w+\s+){0,4}(?:steals?|exfiltrates?|harvests?|captures?|encrypts?|tricks?)\s+(?:\w+\s+){0,4}(?:victims?|passwords?|credentials|logins?|bank(?:ing)?|wallets?|credit cards?)\b`,
  },
]
