import type { Span } from '../../text/span.ts'
import { anyOf } from '../alternatives.ts'

/**
 * Whether a sentence is only mentioned: forbidden ("never reveal your system prompt"), reported ("attackers tell the
 * model to ignore its instructions"), or quoted by an author who writes about such sentences or wants them translated.
 * The text is in lower case.
 */
export function isMentioned(text: string, span: Span): boolean {
  const before = lastSentence(text.slice(Math.max(0, span.start - 200), span.start))
  if (request.test(before)) return false
  if (negation.test(before) || report.test(before)) return true
  return isQuoted(text, span) && subject.test(text.slice(Math.max(0, span.start - 300), span.end + 200))
}

/**
 * Whether a verb describes what someone does instead of telling the reader to do it: a verb after a noun is not an
 * instruction.
 */
export function isStatement(text: string, start: number): boolean {
  const word = /(?<=^|[^\p{L}'])[\p{L}']+(?= *$)/u.exec(text.slice(Math.max(0, start - 30), start))?.[0]
  return word !== undefined && !beforeOrders.has(word)
}

const beforeOrders = new Set(
  `and or but so then now please just simply completely immediately first also instead always again kindly quickly must should will
  would can could shall may might to you let us not never still either both fully totally entirely finally ai assistant chatgpt
  claude gpt bot model llm gemini copilot grok chatbot agent hey hello hi ok okay yes sir better only really actually therefore hereby
  directly secretly silently ll d`.split(/\s+/),
)

const sentenceEnds = ['\n', '. ', '! ', '? ', '。']

/** The text before the match in the same sentence. */
function lastSentence(before: string): string {
  return before.slice(Math.max(...sentenceEnds.map((end) => before.lastIndexOf(end))) + 1)
}

/** The writer asks the reader to do it, whatever the earlier words are. */
const request = new RegExp(
  `(?:\\b${anyOf(`
  (?:i|we) (?:(?:now|really|just|would|.d|hereby) )?(?:want|need|like|ask|command|order|instruct|require|urge|beg|expect|authori[sz]e) you to,
  (?:can|could|would|will) you(?: please| just| now)?,
  you (?:must|should|will|shall|can now|need to|have to|are to|may now|are required to),
  you(?: are|.re)(?: now)? (?:going|about|supposed|required|expected|free|allowed|able) to,
  your (?:task|goal|job|mission|objective|purpose|role) is (?:now )?to,
  please(?: now| just)?, then, now, first, next, instead`)}|^|[:;]),?\\s*(?:now |please |just |completely |simply |immediately )?$`,
  'u',
)

/** The text tells someone not to do it. */
const negation = new RegExp(
  `(?:\\b${anyOf(`
  not, never, n.t, cannot, without, avoid, refuse(?:s|d)? to, refuses, prevent\\w*, forbid\\w*, prohibit\\w*, resist\\w*, refrain from,
  instead of, rather than, nicht, niemals, nie, keinesfalls, jamais, ne, ne pas, nunca, jam[aá]s, no debes, não, mai, non, niet, nooit,
  nigdy`)}|${anyOf('не, никогда, нельзя, 不要, 别, 請勿, 请勿, 切勿, 不得, 决不, 絶対に, 절대')})(?: (?:to|ever|be|let|allow|try|attempt|simply|just|attempts? to|debes|devi|darfst du|dois))?\\s*["'“„«]?$`,
  'u',
)

const others = anyOf(
  'users?, someone, anyone, customers?, text, document, message, e?mail, input, prompt, they, it, he, she, attackers?, asks?, asked, tells?, tries, says, contains?, attempts?, requests?',
)
const condition = `${anyOf('if, when, whenever, in case, unless, should')}\\b[^:]{0,40}\\b${others}\\b[^:]{0,40}`

/** Verbs that make someone do something, with their object. */
const causes = `${anyOf(`
  asks?, asked, asking, tells?, told, telling, tries, tried, try, trying, attempts?, attempted, attempting, instructs?, instructed,
  instructing, requests?, requested, requesting, wants?, wanted, tricks?, tricked, tricking, convince\\w*, persuade\\w*, manipulat\\w*,
  cause\\w*, force\\w*, makes?, making, gets?, getting, allow\\w*, lets?, lead\\w*, coax\\w*, induce\\w*, cajol\\w*`)} (?:\\w+ ){0,5}`

/** Words that introduce reported speech or an example. */
const introductions = anyOf(`
  says?, said, saying, like, such as, e\\.?g\\.?, phrases?, words, sentences?, strings?, contains?, containing, includes?, including, reads?,
  named, called, titled, entitled, beginning with, starting with, begins with, known as, attempts? to, ability to, able to, designed to,
  meant to, order to, used to, how to, ways? to, tend to, seeks? to, aims? to, attackers?, hackers?, users?, adversar\\w+, people,
  someone, somebody, anyone, they, he, she, it, models?, llms?, assistants?, bots?, chatbots?, agents?, employees, students, which, that,
  who, would, could, might, may, cannot, to, did, does, of, about, for, against, detects?, blocks?, fordert, auffordert, versucht, sagt,
  wie, dit, dire, demande, comme, dice, pide, como, diz, pede, zegt, zoals`)
const whom = ` (?:you|it|them|him|her|us|(?:the|an?) (?:model|assistant|ai|bot|system|llm|chatbot|agent))`

/** A third person does it or would do it, or the sentence follows a word for a text. */
const report = new RegExp(
  `\\b(?:${condition}|${causes}|${introductions})(?:${whom})?(?: to| into| zu)?\\s*(?:: ?)?["'“„«‘\`(*]?$`,
  'u',
)

/** Opening quotation marks, each with its closing one. */
const marks = ['""', '“”', '„“', '«»', '‘’', "''", '``', '「」', '『』', '()', '**'] as const

/** Whether the span is between quotation marks, in the same paragraph. */
function isQuoted(text: string, { start, end }: Span): boolean {
  const before =
    text
      .slice(Math.max(0, start - 120), start)
      .split('\n')
      .at(-1) ?? ''
  const after = text.slice(end, end + 160).split('\n')[0] ?? ''
  return marks.some((pair) => isOpen(before, pair) && after.includes(pair.charAt(1)))
}

/** Whether a quotation is still open at the end. An apostrophe inside a word opens nothing. */
function isOpen(before: string, pair: string): boolean {
  const [opening = '', closing = ''] = pair
  const at = before.lastIndexOf(opening)
  if (at === -1 || (/\p{L}/u.test(before.charAt(at - 1)) && /\p{L}/u.test(before.charAt(at + 1)))) return false
  return opening === closing ? before.split(opening).length % 2 === 0 : !before.slice(at).includes(closing)
}

/** The topics of texts that discuss or quote such sentences. */
const subject = new RegExp(
  anyOf(`
  injection, jailbreak, attack, adversar, malicious, exploit, red.?team, owasp, security, phrase, example, such as, e\\.g\\., classif, detect,
  filter, moderat, article, paper, blog, dataset, label, test case, regex, pattern, block.?list, deny.?list, banned, keyword, spell,
  grammar, proofread, rewrite, synonym, sentence, sign (?:said|reads), subtitle, lyrics, novel, story, chapter, movie, film, scene, play, explain, what does, define, character (?:says|said),
  meaning of, mean\\b, translat, übersetz, tradui, traduc, traduz, tradu[cç], vertaal, przetłumacz, перевед, перевод, 翻译, 翻譯, 翻訳,
  번역, ترجم, çevir, अनुवाद, wort, satz, mot\\b, frase, palabra, beispiel, angriff, angreif, wehre, exemple, attaqu, ejemplo, ataque,
  atacante, exemplo, esempio, attacco, voorbeeld, aanvaller, przykład, atakuj, пример, атак, злоумышлен, 例, 攻击, 攻擊, 攻撃, 注入, 예,
  공격, インジェクション, 인젝션`),
  'u',
)
