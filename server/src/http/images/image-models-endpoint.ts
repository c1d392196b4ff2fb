import { type Static, Type } from 'typebox'
import { countMaxDefault } from '#dialects/images/refuse-unfit-model.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import { modalityOf } from '#domain/catalogue/modality.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { createWithTestModels } from '#domain/test-models/with-test-models.ts'
import { imageDetailsOf } from '#domain/media/image-details.ts'
import type { Endpoint } from '../endpoint.ts'
import { restrictionOf } from '../models/list-models.ts'
import { architectureSchema, pricingSchema } from '../models/model-schema.ts'
import { createdSecondsOf } from '../models/render-model.ts'
import { renderPricing } from '../models/render-pricing.ts'

/** Image models, public; with an organization's key, only the models that it allows. */
export function imageModelsEndpoint(catalogue: () => Catalogue, testModels: boolean): Endpoint {
  const withTests = createWithTestModels(testModels)
  return {
    name: 'listImageModels',
    method: 'GET',
    paths: ['/v1/images/models'],
    tag: 'Models',
    summary: 'List image models',
    access: 'models.read',
    reply: { status: 200, description: 'All image models, in one page.', schema: imageModelListSchema },
    handle: async ({ nowMs, client }) => {
      const mayCall = restrictionOf(client)
      const isShown = (model: Model): boolean =>
        model.listed &&
        model.outputModalities.includes('image') &&
        lifeCycleAt(model, nowMs) !== 'retired' &&
        mayCall?.(model.id) !== false
      return { body: { data: [...withTests(catalogue()).models.values()].filter(isShown).map(renderImageModel) } }
    },
  }
}

const { modality, input_modalities, output_modalities } = architectureSchema.properties

const imageModelSchema = Type.Object(
  {
    id: Type.String({ examples: ['openai/gpt-image-1'] }),
    name: Type.String(),
    created: Type.Integer({ description: 'Release time in Unix seconds, or 0 if unknown.' }),
    description: Type.Union([Type.String(), Type.Null()]),
    architecture: Type.Object({ modality, input_modalities, output_modalities }),
    pricing: Type.Object({
      ...pricingSchema.properties,
      image: Type.String({
        description: 'Price in USD per generated image, or 0 if images are billed by another unit listed in `pricing`.',
      }),
    }),
    supported_parameters: Type.Object({
      size: Type.Object({
        type: Type.Literal('enum'),
        values: Type.Array(Type.String(), {
          description: 'Sizes that the model supports. Other sizes are accepted and mapped to the nearest of these.',
        }),
      }),
      n: Type.Object({ type: Type.Literal('range'), min: Type.Integer(), max: Type.Integer() }),
    }),
    supports_streaming: Type.Boolean(),
    endpoints: Type.String({ description: 'Path of the endpoint that lists the providers of the model.' }),
  },
  { $id: 'ImageModel', title: 'ImageModel' },
)
type ImageModelView = Static<typeof imageModelSchema>

export const imageModelListSchema = Type.Object({ data: Type.Array(imageModelSchema) }, { title: 'ImageModelList' })

/** An image model: its outputs and the price of one image. */
function renderImageModel(model: Model): ImageModelView {
  return {
    id: model.id,
    name: model.name,
    created: createdSecondsOf(model),
    description: model.description,
    architecture: {
      modality: modalityOf(model),
      input_modalities: [...model.inputModalities],
      output_modalities: [...model.outputModalities],
    },
    pricing: { image: '0', ...renderPricing(model, model.price) },
    supported_parameters: renderParameters(model),
    // True for every provider, because the stream reports the gateway's progress.
    supports_streaming: true,
    endpoints: `/api/v1/models/${model.id}/endpoints`,
  }
}

function renderParameters({ details }: Model): ImageModelView['supported_parameters'] {
  const { countMax, sizes, aspectRatios, resolutions } = imageDetailsOf(details)
  const pixels = sizes.map(({ width, height }) => `${width}x${height}`)
  return {
    size: { type: 'enum', values: ['auto', ...pixels, ...aspectRatios, ...resolutions] },
    n: { type: 'range', min: 1, max: countMax ?? countMaxDefault },
  }
}
