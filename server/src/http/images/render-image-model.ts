import { countMaxDefault } from '#dialects/images/refuse-unfit-model.ts'
import { modalityOf } from '#domain/catalogue/modality.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { imageDetailsOf } from '#domain/media/image-details.ts'
import { createdSecondsOf } from '../models/render-model.ts'
import { renderPricing } from '../models/render-pricing.ts'
import type { ImageModelView } from './image-model-schema.ts'

/** A model as those who want images see it: what it makes, and what one image costs. */
export function renderImageModel(model: Model): ImageModelView {
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
    // Whoever makes the image: what is streamed is how far we are with it.
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
