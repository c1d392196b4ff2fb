import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { Endpoint } from '../endpoint.ts'
import { restrictionOf } from '../models/restriction-of.ts'
import { imageModelListSchema } from './image-model-schema.ts'
import { renderImageModel } from './render-image-model.ts'

/** What makes images, for anybody; with a key of an organization, what that organization allows. */
export function imageModelsEndpoint(catalogue: () => Catalogue): Endpoint {
  return {
    name: 'listImageModels',
    method: 'GET',
    paths: ['/v1/images/models'],
    tag: 'Models',
    summary: 'List models that make images',
    access: 'models.read',
    reply: { status: 200, description: 'All of them, on one page.', schema: imageModelListSchema },
    handle: async ({ nowMs, caller }) => {
      const mayCall = restrictionOf(caller)
      const isShown = (model: Model): boolean =>
        model.listed &&
        model.outputModalities.includes('image') &&
        lifeCycleAt(model, nowMs) !== 'retired' &&
        mayCall?.(model.id) !== false
      return { body: { data: [...catalogue().models.values()].filter(isShown).map(renderImageModel) } }
    },
  }
}
