import type { Detector } from '../detector.ts'
import { undisguise } from './disguise.ts'
import { findOrders } from './find-orders.ts'
import { hiddenTexts } from './hidden-texts.ts'
import { withoutMarks } from './without-marks.ts'

/**
 * Attempts to take over a prompt: orders to ignore what it says, to reveal it, or to act as a person without rules; in seventeen
 * languages, also spelled letter by letter, with look-alike letters or digits, or encoded. What only speaks of such sentences
 * is let pass.
 */
export const findPromptInjections: Detector = (marked) => {
  const { text, toMarked } = withoutMarks(marked)
  const hidden = hiddenTexts(text).filter(({ text: content, isRunTogether }) =>
    isRunTogether ? runTogether.test(undisguise(content)) : findOrders(undisguise(content)).length > 0,
  )
  return [...findOrders(undisguise(text)), ...hidden.map(({ span }) => span)].map(toMarked)
}

/** Orders without the spaces between their words. */
const runTogether =
  /(?:ignor|disregard|forget|override|bypass)(?:e|ing)?(?:all|any|the|your|of|these|those)*(?:previous|prior|above|earlier|system|your|safety|original|initial|preceding)(?:ly)?(?:given|the|system|safety)*(?:instruction|prompt|rule|guideline|directive|restriction|command)|(?:reveal|show|print|repeat|tell|output|display|leak)(?:me|us|out|all|the|full|entire|exact|of)*(?:your|the)(?:full|entire|exact|hidden|secret|initial|original)*(?:systemprompt|systemmessage|systeminstruction|hiddeninstruction|initialinstruction|initialprompt)|doanythingnow|jailbreakmode|developermodeenabled|ignoriere?(?:alle|deine|sämtliche)*(?:bisherigen|vorherigen|vorigen|obigen|früheren)(?:anweisung|regel|instruktion)|ignore(?:z|r)?(?:toutes|les|tes|vos)*(?:instructions|consignes)précédentes|ignora(?:todas|las|tus)*(?:instrucciones|reglas)(?:anteriores|previas)/u
