-- Models that judge texts and images. A constraint that allows more is checked without reading the rows: every row that
-- satisfied the one before satisfies it too.
ALTER TABLE models
  DROP CONSTRAINT models_kind_check,
  DROP CONSTRAINT models_output_modalities_check,
  ADD CONSTRAINT models_kind_check CHECK (kind IN
    ('chat', 'image', 'video', 'embedding', 'speech', 'transcription', 'rerank', 'moderation', 'realtime')) NOT VALID,
  ADD CONSTRAINT models_output_modalities_check CHECK (output_modalities <@
    ARRAY['text', 'image', 'embeddings', 'audio', 'video', 'rerank', 'speech', 'transcription', 'moderation']) NOT VALID;
