import type { JsonObject } from '../../server/src/lib/json.ts'

/** The file, with one line per model, so that people can read it and compare versions. */
export function writeStarter(models: readonly JsonObject[], date: string): string {
  const head = { date, about, sources, notices }
  const lines = models.map((model) => `    ${JSON.stringify(model)}`)
  return `${JSON.stringify(head, null, 2).replace(/\n}$/, '')},\n  "models": [\n${lines.join(',\n')}\n  ]\n}\n`
}

const about = [
  'Models, limits and prices in USD for one unit, gathered from public data. Check prices before you bill customers by them.',
  'Written by tools/starter; the form is that of docs/recipes/import-a-catalogue.md.',
  'disputed_prices lists what sources say of a price that they do not agree on: it is not charged, and the model has none there.',
]

const sources = [
  'BerriAI/litellm, model_prices_and_context_window.json, commit b0fd3e1, 2026-08-08 (MIT)',
  'anomalyco/models.dev, commit f3fc692, 2026-07-02 (MIT)',
  'Portkey-AI/models, commit f654307, 2026-08-21 (MIT)',
  'OpenRouter, public listings of models, 2026-07-22 to 2026-10-09: ids, prices, limits and parameter names',
  'pages of prices and models of Anthropic, DeepSeek and OpenAI, read on 2026-11-17',
  'deprecation pages of OpenAI, Anthropic and Google, up to October 2026: dates',
]

const notices = [
  'Copyright (c) 2023 Berri AI',
  'Copyright (c) 2025 models.dev',
  'Copyright (c) 2025 Portkey.ai',
  'Copyright (c) 2025 rbb-dev',
]
