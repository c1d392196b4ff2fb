-- Some models are available only through one API of their provider, such as OpenAI's Responses. Null means the default
-- API.
ALTER TABLE offers ADD COLUMN api text CHECK (api IN ('responses'));

-- The API that the operator chose for conversations through an account. Null means the offer decides.
ALTER TABLE provider_accounts ADD COLUMN api text CHECK (api IN ('responses'));
