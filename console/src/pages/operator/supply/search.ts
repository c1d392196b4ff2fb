export interface RoutesSearch {
  readonly model?: string
  readonly customer?: string
}

export function parseRoutesSearch({ model, customer }: Record<string, unknown>): RoutesSearch {
  return {
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
    ...(typeof customer === 'string' && customer !== '' ? { customer } : {}),
  }
}

export interface CatalogueSearch {
  readonly q?: string
}

export function parseCatalogueSearch({ q }: Record<string, unknown>): CatalogueSearch {
  return typeof q === 'string' && q !== '' ? { q } : {}
}
