import type { VideoScript } from '#test/simulators/media/videos/video-upstream.ts'
import type { Random } from '../random.ts'

/** A random course of an order at an unreliable provider. */
export function randomScript(random: Random): Partial<VideoScript> {
  return {
    submit: pickBy(random, [
      ['answered', 70],
      ['lost', 8],
      ['dropped', 8],
      ['twice', 4],
      ['failing', 4],
      ['limited', 3],
      ['invalid', 3],
    ]),
    pendingPolls: random.integer(0, 2),
    workingPolls: random.integer(0, 4),
    poll: pickBy(random, [
      ['answered', 90],
      ['twice', 6],
      ['lost', 4],
    ]),
    end: pickBy<VideoScript['end']>(random, [
      [{ kind: 'made', count: 1 }, 76],
      [{ kind: 'failed', message: 'The render node went away.' }, 9],
      [{ kind: 'moderated' }, 8],
      [{ kind: 'expired' }, 4],
      [{ kind: 'odd' }, 3],
    ]),
    files: random.chance(0.03) ? 'gone' : 'served',
  }
}

function pickBy<Choice>(random: Random, choices: readonly (readonly [Choice, number])[]): Choice {
  return random.pick(choices.flatMap(([choice, weight]) => Array.from({ length: weight }, () => choice)))
}
