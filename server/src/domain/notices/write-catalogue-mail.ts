import type { AnnouncedModel, ChangedPrice } from '#domain/catalogue/announced-model.ts'
import type { CatalogueNotice } from './notice.ts'

const modelsMax = 50
const pricesMax = 30

/** Writes the email about changed prices and retirement dates: one for all models of a customer. */
export function writeCatalogueMail(
  { about, models, sinceMs, organization }: CatalogueNotice,
  { page }: { readonly page: string },
): { readonly subject: string; readonly text: string } {
  const more = models.length - modelsMax
  const parts = [
    introOf(about, sinceMs),
    ...models.slice(0, modelsMax).map(modelText),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(organization === null ? [] : [`Organization: ${organization}`]),
    `Read this in the console:\n\n${page}`,
  ]
  return { subject: subjectOf(about, models), text: `${parts.join('\n\n')}\n` }
}

function subjectOf(about: CatalogueNotice['about'], models: readonly AnnouncedModel[]): string {
  if (about === 'reminder') return 'Models that you use retire soon'
  const hasPrices = models.some(({ prices }) => prices.length > 0)
  const hasDates = models.some(({ retirement }) => retirement !== null)
  if (hasPrices && hasDates) return 'Changed prices and retirement dates of models that you use'
  return hasDates ? 'Changed retirement dates of models that you use' : 'Changed prices of models that you use'
}

function introOf(about: CatalogueNotice['about'], sinceMs: number): string {
  const used = 'You used these models in the last 30 days.'
  if (about === 'reminder') {
    return `${used} They retire soon: requests to a retired model are rejected. Move your applications to another model.`
  }
  return `${used} Their prices or retirement dates have changed. New prices apply to requests since ${new Date(sinceMs).toISOString()}.`
}

function modelText({ id, prices, retirement }: AnnouncedModel): string {
  const more = prices.length - pricesMax
  return [
    id,
    ...prices.slice(0, pricesMax).map((price) => `  ${priceText(price)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(retirement === null ? [] : [`  ${retirementText(retirement)}`]),
  ].join('\n')
}

function priceText({ provider, variant, unit, when, isPerMillion, from, to }: ChangedPrice): string {
  const host = variant === '' ? provider : `${provider} ${variant}`
  const per = isPerMillion ? ' per million tokens' : ''
  const condition = when === '' ? '' : ` (${when})`
  return `${host}, ${unit.replaceAll('_', ' ')}${condition}: ${dollars(from)} to ${dollars(to)}${per}`
}

function dollars(usd: string | null): string {
  if (usd === null) return 'not offered'
  const [whole = '', cents = ''] = usd.split('.')
  return `$${whole}.${cents.padEnd(2, '0')}`
}

function retirementText({ from, to }: NonNullable<AnnouncedModel['retirement']>): string {
  if (to === null) return `No longer retires on ${from}`
  return from === null || from === to ? `Retires on ${to} (UTC)` : `Retires on ${to} (UTC), not on ${from}`
}
