/** $1: ids of the imported models. All others leave the listing. */
export const unlistModels = `UPDATE models SET listed = false WHERE listed AND id <> ALL ($1::text[])`
